// Where a kernel's points leave results that the next kernel combines, the last group to arrive at each combination
// runs it: one launch instead of two.
#pragma once

#include "polymend/tile.h"

#include <cstdint>
#include <optional>

namespace polymend::device_room {

/// How many points of `parts` there are for each point of `next`, where a point of `next` may run as soon as all of
/// its own are done: the grid of `parts` is that of `next` and further dimensions of constant extents, innermost, and
/// what both touch and either writes belongs to one point of `next`. Absent where that cannot be seen.
std::optional<std::int64_t> arrivalsFor(const Kernel &parts, const Kernel &next);

} // namespace polymend::device_room
