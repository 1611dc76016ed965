// verify, forget, races: what a device program must be, what it means, and whether its threads and vectors are free.
#pragma once

#include "polymend/device.h"
#include "polymend/interpret.h"

namespace polymend {

/// The tile program of the same meaning, which runs everything in order: its interpreter is that of device programs.
TileProgram forget(const DeviceProgram &program);

/// What no printer could survive, or no machine: names, scopes, places of tiles, forms of sharing, folds that do not
/// stand still. Empty: nothing.
std::vector<std::string> verify(const DeviceProgram &program);

/// Runs the subscripts of a program at small sizes (arrays of `memory` that subscripts read are used, values are not)
/// and reports two points of a grid, or two iterations of a loop in vectors, of which one writes what the other
/// touches. What only data forbid counts as done. After `most` accesses and
/// iterations the rest is not looked at.
std::vector<std::string> races(const DeviceProgram &program, const Memory &memory, std::size_t most = 1'000'000);

} // namespace polymend
