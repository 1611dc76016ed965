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

} // namespace polymend
