// A host with AVX2 (x86-64-v3), as of 2020: 16 vector registers of 8 floats, 32 KiB of data in the near cache of a
// core, 1 MiB in the next. Parts and streams were measured on two and on sixteen cores.
#include "sheets.h"

namespace polymend {

Machine cpuMachine() {
  Machine m;
  m.name = "cpu";
  m.isHost = true;
  m.lanes = 8;
  m.processors = 16;
  m.registers = 16;
  m.threadRegisters = 16;
  m.nearCache = 32 * kilo;
  m.farCache = mega;
  m.parts = 32;
  m.stream = 1024;
  return m;
}

} // namespace polymend
