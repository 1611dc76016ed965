// map: from a tile program to a device program.
#pragma once

#include "polymend/device.h"
#include "polymend/parse.h"

namespace polymend {

/// The program on a processor with threads and vectors. `function` is what it replaces; `strict`: to the bit. Refused
/// where an entry cannot tell whether arguments share memory.
Result<DeviceProgram> mapToCpu(const Function &function, const TileProgram &program, bool strict);

} // namespace polymend
