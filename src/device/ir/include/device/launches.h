// Kernels on matrix units that share a launch: its blocks take the points of one after those of another, so that none
// waits for the last points of a kernel before it.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

/// Can the points of kernel number `at` come in the launch of kernel number `first` before it? Blocks, rings and
/// registers are those of that kernel, neither leaves marks, no kernel stands in for one of them, and it has no part
/// in what the kernels from the first one on read or write.
[[nodiscard]] bool canFollow(const DeviceProgram &program, std::size_t first, std::size_t at);

} // namespace polymend::device_room
