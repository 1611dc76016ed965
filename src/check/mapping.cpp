#include "polymend/validate.h"
#include "polymend/verify_device.h"

#include "small_runs.h"

namespace polymend {

namespace {

constexpr std::size_t mostAccesses = 200'000; // that are looked at for each choice of sizes
constexpr double mostInstances = 1e7;         // of statements, of the run that finds out what memory is touched

/// Small sizes that differ from each other, then such that span more than a tile of most kinds.
std::vector<Values> sizesFor(const DeviceProgram &program) {
  std::vector<Values> all;
  for (const std::int64_t least : {3, 37}) {
    Values sizes;
    std::int64_t size = least;
    for (const std::string &name : program.sizes) sizes[name] = size += 2;
    all.push_back(sizes);
  }
  return all;
}

} // namespace

std::vector<std::string> mappingFaults(const DeviceProgram &program, const Scop &source) {
  std::vector<std::string> faults = verify(program);
  if (!faults.empty()) return faults;
  const std::string text = writeText(program);
  const Result<DeviceProgram> again = readDeviceText(text);
  if (!again) return {"its text does not read back: " + again.refusal().reason};
  if (writeText(*again) != text) return {"its text reads back as another program"};
  const TileProgram meaning = forget(program);
  const Instances instances(source);
  for (const Values &wanted : sizesFor(program)) {
    const std::optional<Values> sizes = whereGiven(meaning, wanted);
    if (!sizes || instances.at(*sizes) > mostInstances) continue; // the source's own function runs there, or for long
    const Result<Memory> memory = memoryFor(meaning, meaning, *sizes);
    if (!memory) continue; // the program does not run there
    faults = races(program, *memory, mostAccesses);
    if (!faults.empty()) return faults;
  }
  return faults;
}

} // namespace polymend
