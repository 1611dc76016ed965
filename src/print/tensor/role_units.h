// How each family of matrix units spells copies and products. From sm_90a on one thread of a copying warp has the copy
// engine fetch whole tiles, and warp groups multiply straight from shared memory; from sm_80 on all threads of a
// copying warp copy chunks of 16 bytes, and warps load fragments.
#pragma once

#include "role_frame.h"

namespace polymend::print_room {

/// What the launch of a kernel needs of its units.
struct UnitsLaunch {
  std::string condition;                                 // that the kernel can run
  std::vector<std::string> headers;                      // beyond those of primitives
  std::vector<std::pair<std::string, std::string>> maps; // for copy engines: descriptions of channels' sources, by
                                                         // name: the call that makes one
};

/// Reads where a fill's rows are, if data say so: before its slot is waited for.
void placesOf(const DeviceFill &fill, RoleFrame &frame, Writer &out);

/// Fills the current slot of a channel, which is empty, and has its full barrier signalled.
void fillByEngine(const DeviceFill &fill, RoleFrame &frame, Writer &out);
void fillByThreads(const DeviceFill &fill, RoleFrame &frame, Writer &out);

/// Issues a product.
void issueToGroup(const DeviceIssue &issue, RoleFrame &frame, Writer &out);
void issueToWarps(const DeviceIssue &issue, RoleFrame &frame, Writer &out);

/// Waits for products, and holds registers in place.
void awaitGroup(const DeviceAwait &await, RoleFrame &frame, Writer &out);

/// What starts the kernel; adds its parameters.
UnitsLaunch launchOfEngine(RoleFrame &frame, LaunchPlan &plan);
UnitsLaunch launchOfThreads(RoleFrame &frame, LaunchPlan &plan);

} // namespace polymend::print_room
