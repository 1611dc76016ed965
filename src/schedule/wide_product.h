// Products of matrices that are wider than one tile.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// Is e a sum of products whose factors matrix units take as they are, or rounded where that is allowed?
bool takesNarrowUnits(const Equation &e, const ScheduleOptions &options);

/// Is e a product of matrices with more columns than one tile holds, were these its rows? In a kernel of its own the
/// columns come in tiles too.
bool isWideProduct(const Equation &e, const std::vector<int> &rows, const ScheduleOptions &options);

} // namespace polymend
