// Factors that bring to light what a sum near underflow lost.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// Whether a sum of this type is so near underflow that what was lost there counts.
Expr nearUnderflow(const Expr &state);
/// That `factor` magnifies what is lost in a state near underflow.
Expr magnifiesLost(const Expr &state, const Expr &factor);
/// The same for `product`, which is made of the state; where the state is zero, as sums of zeros are too, only factors
/// above `small` count.
Expr magnifiesLost(const Expr &state, const Expr &product, const Expr &factor, double small);

/// The factor that counts where the source divides by a producer before it multiplies; less for values that it
/// multiplies by themselves, which are small together. Absent: the source does not.
std::optional<double> countsAfterDivision(const Candidate &candidate);

} // namespace polymend
