#include "polymend/map.h"

#include "device/entry.h"
#include "device/kernel.h"
#include "header.h"

namespace polymend {

namespace {

using namespace device_room;

/// What must not hold of each pair of arguments, and of the sizes.
std::vector<EntryTest> testsOf(const Function &function, const TileProgram &program) {
  std::vector<const TileArray *> arguments;
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument && !(program.returns && a.name == "return")) arguments.push_back(&a);
  std::vector<EntryTest> tests;
  if (program.given) tests.push_back({EntryTest::Kind::Given, "", ""});
  const Entry entry(function, program, Side::Host);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::size_t j = i + 1; j < arguments.size(); ++j) {
      const TileArray &a = *arguments[i], &b = *arguments[j];
      const Apart apart = entry.apart(a, b);
      if (apart == Apart::Extents) tests.push_back({EntryTest::Kind::Extents, a.name, b.name});
      if (apart == Apart::Elements) tests.push_back({EntryTest::Kind::Elements, a.name, b.name});
    }
  return tests;
}

/// Work that is known before the function is called is decided on then: no entry estimates it.
DeviceEntry entryOf(const Function &function, const TileProgram &program) {
  DeviceEntry entry;
  if (program.work && program.work.op() != Op::Real) entry.work = program.work;
  entry.times = static_cast<int>(std::max<std::size_t>(program.kernels.size(), 1));
  entry.tests = testsOf(function, program);
  return entry;
}

} // namespace

Result<DeviceProgram> mapToCpu(const Function &function, const TileProgram &program, bool strict) {
  if (const auto closed = Entry(function, program, Side::Host).refuse()) return *closed;
  DeviceProgram result = headerOf(program);
  result.entry = entryOf(function, program);
  Scope scope(program, strict);
  for (const Kernel &kernel : program.kernels) result.kernels.push_back(mapKernel(kernel, program.sizes, scope));
  return result;
}

} // namespace polymend
