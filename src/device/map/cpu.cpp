#include "polymend/map.h"

#include "data_ends.h"
#include "device/entry.h"
#include "device/kernel.h"
#include "device/walk.h"
#include "entry_tests.h"
#include "header.h"
#include "little_work.h"

namespace polymend {

namespace {

using namespace device_room;

/// Work that is known before the function is called is decided on then: no entry estimates it.
DeviceEntry entryOf(const Function &function, const TileProgram &program) {
  DeviceEntry entry;
  if (program.work && program.work.op() != Op::Real) {
    entry.work = program.work;
    entry.little = littleWorkOf(function, program);
  }
  if (program.starts) entry.times = program.starts;
  entry.tests = testsOf(function, program, Side::Host);
  return entry;
}

} // namespace

Result<DeviceProgram> mapToCpu(const Function &function, const TileProgram &program, bool strict) {
  if (const auto closed = Entry(function, program, Side::Host).refuse()) return *closed;
  DeviceProgram result = headerOf(program);
  result.entry = entryOf(function, program);
  Scope scope(program, strict);
  for (const Kernel &kernel : program.kernels) result.kernels.push_back(mapKernel(kernel, program, scope));
  if (const auto turning = turnsOn(function, result, true)) return *turning;
  return result;
}

} // namespace polymend
