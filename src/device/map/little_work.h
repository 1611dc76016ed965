// Which calls bring little work, told by comparisons of their sizes alone.
#pragma once

#include "polymend/device.h"

#include "polymend/parse.h"

namespace polymend::device_room {

/// The largest sizes with which the program's work is far from what threads are worth (a quarter of leastWork); absent:
/// it grows too fast, or depends on too many sizes, or on others than the program's.
std::optional<LittleWork> littleWorkOf(const Function &function, const TileProgram &program);

} // namespace polymend::device_room
