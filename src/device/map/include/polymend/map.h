// map: from a tile program to a device program.
#pragma once

#include "polymend/device.h"
#include "polymend/options.h"
#include "polymend/parse.h"

namespace polymend {

/// The program on a processor with threads and vectors. `function` is what it replaces; `strict`: to the bit. Refused
/// where an entry cannot tell whether arguments share memory.
Result<DeviceProgram> mapToCpu(const Function &function, const TileProgram &program, bool strict);

/// What the map asks of a GPU.
struct GpuFacts {
  std::int64_t sharedBytes = 0;    // what a block may have on every device of the target
  bool asynchronousCopies = false; // copies to shared memory run beside the threads that start them
  bool approximates = false;       // may functions on matrix units' sums be the machine's own? (--fp=approx)
};

/// Of every device of the target.
GpuFacts gpuFacts(Target target, FloatMode fp);

/// The program on a GPU: its kernels, and what the host does around their launches; its entries are still to be mapped.
/// Refused where a launch cannot be sized, or matrix units have no form for what a kernel wants of them.
Result<DeviceProgram> mapToGpu(const Function &function, const TileProgram &program, const GpuFacts &facts,
                               bool strict);

/// Is it refused, or kept from being copied, for want of how many elements an array has?
bool needsLengths(const std::string &reason);
/// Adds what the two entries of a program on a GPU do to `mapped`; or why they cannot tell whether arguments share
/// memory. Where nobody can tell how much of them to copy, one of them runs the source (DeviceEntry::source).
std::optional<Refusal> mapEntries(const Function &function, const TileProgram &program, bool strict,
                                  DeviceProgram &mapped);

/// The program on the target but for the entries of a GPU, and with them.
Result<DeviceProgram> mapKernels(const Function &function, const TileProgram &program, Target target, FloatMode fp);
Result<DeviceProgram> mapTo(const Function &function, const TileProgram &program, Target target, FloatMode fp);

} // namespace polymend
