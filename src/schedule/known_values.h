// Values that an equation computes and that are another's, too.
#pragma once

#include "computed_factor.h"

namespace polymend {

/// The factor as an equation; what it reads is numbered in the order of its expression. `number` makes names unique.
Equation asEquation(const Equation &product, const ComputedFactor &factor, const std::string &number);

/// Map a with the points of b too, if they are the same function of the same values; absent: they are not.
std::optional<Equation> united(const Equation &a, const Equation &b);

/// `product` with reads of equation `index` in place of the factor.
void readStored(Equation &product, const ComputedFactor &factor, const Equation &stored, int index);

/// Reads the value of map `known` in place of the term, if that is what the term computes, wherever it does, in any
/// order of the term's dimensions. False: it is not, and nothing changes.
bool readInstead(System &system, int reader, const ComputedFactor &term, int known);

} // namespace polymend
