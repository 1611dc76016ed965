// What an entry asks before it trusts a program.
#pragma once

#include "device/entry.h"
#include "polymend/device_entry.h"

namespace polymend::device_room {

/// What must not hold of the sizes, of each argument and of each pair of them, at an entry on memory of this side: what
/// the device itself is asked is not among it.
std::vector<EntryTest> testsOf(const Function &function, const TileProgram &program, Side side);

/// That an index array falls on whose rising the function's program rests: what is given of it is not.
std::vector<EntryTest> risingTests(const Function &function);

} // namespace polymend::device_room
