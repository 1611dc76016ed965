// Whether loops that data end in the source end where they do.
#pragma once

#include "polymend/device.h"
#include "polymend/parse.h"

namespace polymend::device_room {

/// Why the program is slower than its source may be: a loop that data end there makes all of its turns here; absent: no
/// loop does. `shortToo`: not even one of a small number of turns may.
std::optional<Refusal> turnsOn(const Function &function, const DeviceProgram &program, bool shortToo);

} // namespace polymend::device_room
