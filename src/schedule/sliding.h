// Reductions over windows, and plans that keep more of points than the points are worth.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// Do threads of a GPU take rows of such a reduction one by one: it goes over windows, and no matrix unit multiplies
/// it?
bool slides(const Equation &e, const ScheduleOptions &options);

/// Why the source's order may be better than the plan: what a point computes for itself, turn by turn, would be stored
/// for all turns. Absent: nothing of that kind.
std::optional<std::string> doubtOf(const Relaxed &relaxed, const Schedule &schedule, const ScheduleOptions &options);

} // namespace polymend
