// AMD's GPUs with matrix cores: Instinct MI200 (CDNA2) and MI300 (CDNA3) Instruction Set Architecture and data sheets:
// a compute unit has 64 KiB of LDS and 4 SIMDs of 512 vector registers for 64 lanes; a wavefront may have all 512.
// Kernels on matrix cores are not printed yet, so that no units are given, only atoms.
#include "sheets.h"

namespace polymend {
namespace {

Machine machineOf(const std::string &name, std::int64_t processors, std::int64_t nearCache, std::int64_t farCache) {
  Machine m;
  m.name = name;
  m.lanes = 64;
  m.groupWarps = 4;
  m.sharedBytes = 64 * kilo;
  m.processors = processors;
  m.registers = std::int64_t{4} * 512 * 64;
  m.threadRegisters = 512;
  m.nearCache = nearCache;
  m.farCache = farCache;
  m.parts = 1024;
  m.stream = 4096;
  m.atoms = {atoms::mfmaWide(), atoms::mfmaSquare(), atoms::mfmaDouble()};
  return m;
}

} // namespace

std::vector<Machine> amdMachines() {
  return {machineOf("gfx90a", 110, 16 * kilo, 8 * mega), machineOf("gfx942", 304, 32 * kilo, 256 * mega)};
}

} // namespace polymend
