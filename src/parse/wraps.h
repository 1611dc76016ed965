// Whether an integer expression stays within what a type holds, so that C++ computes the integer of Z that it is read
// as: shown from the loops and conditions around, or a condition on parameters that is tested at entry.
#pragma once

#include "affine.h"

#include <optional>
#include <vector>

namespace polymend {

/// The conditions on parameters under which least <= e <= most wherever e is computed; none: always so. Absent: neither
/// shown, nor to be tested at entry, or tested in vain.
std::optional<std::vector<Expr>> conditionsOf(const Expr &e, const Interval &limits, const Knowledge &knowledge);

/// What values an expression over data takes at most, its parts being computed in Z: elements hold what their types
/// hold, symbols what the loops around and the types of parameters tell.
Interval valuesOf(const Expr &e, const Knowledge &knowledge);

/// Does nothing that is computed on the way to e leave 64 bits?
bool staysInWords(const Expr &e, const Knowledge &knowledge);

} // namespace polymend
