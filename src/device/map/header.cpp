#include "header.h"

namespace polymend::device_room {

DeviceProgram headerOf(const TileProgram &program) {
  DeviceProgram result;
  result.function = program.function;
  result.sizes = program.sizes;
  result.scalars = program.scalars;
  result.given = program.given;
  result.arrays = program.arrays;
  result.touched = program.touched;
  result.returns = program.returns;
  result.declared = program.declared;
  result.checks = program.guard.checks;
  return result;
}

} // namespace polymend::device_room
