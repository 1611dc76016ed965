// machine: what kernels run on, as values read like data sheets. Rooms ask a machine for what it can do; none asks what
// it is called.
#pragma once

#include "polymend/atoms.h"
#include "polymend/expr.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polymend {

/// A cut of a block's threads: so many groups compute, with so many registers a thread for matrices, fewer by `between`
/// where values are computed between products; not worth it for shorter chunks.
struct GroupBudget {
  std::int64_t groups = 1, registers = 0, leastChunk = 16, between = 0;
};

/// How tiles come to shared memory.
enum class CopyWay {
  Chunks, // threads copy 16 bytes each, and go on
  Engine  // a thread asks for a whole tile, laid out on its way
};

/// What a block may have on one multiprocessor for products of elements of so many bytes: 2: of 16-bit numbers into
/// float, 4: of floats, rounded to a machine's own type, into float, 8: of doubles into double.
struct MatrixUnits {
  std::int64_t elementBytes = 2;
  MatrixAtom atom;
  CopyWay copies = CopyWay::Chunks;
  bool handsRegisters = false;       // warp groups hand registers to one another
  std::int64_t sharedBytes = 0;      // for channels
  std::int64_t processors = 0;       // that work beside each other
  std::vector<GroupBudget> budgets;  // the best first
  std::vector<std::int64_t> columns; // of a product's tile where the sum's loop leaves them open, the best first
  std::int64_t copiedAt = 16;        // columns of copied tiles begin at multiples of so many bytes
};

/// An architecture.
struct Machine {
  std::string name;                         // as --arch says it
  bool isHost = false;                      // a CPU
  std::int64_t lanes = 1;                   // of a warp, of which each computes for one thread; of a vector of float
  std::int64_t groupWarps = 1;              // a group's, one for each quarter of a processor
  std::int64_t sharedBytes = 0;             // of a block, at most
  std::int64_t processors = 0;              // of the largest chip
  std::int64_t registers = 0;               // of 32 bits, of a processor; of vectors
  std::int64_t threadRegisters = 0;         // of a thread, at most
  std::int64_t nearCache = 0, farCache = 0; // bytes, of a processor and of all
  std::int64_t parts = 1;                   // of a loop that fill it
  std::int64_t stream = 1;                  // elements of a chunk of a loop that reuses nothing
  std::vector<MatrixUnits> units;           // that kernels are made for
  std::vector<MatrixAtom> atoms;            // of its matrix units, whether or not kernels are made for them
  /// Those that multiply elements of so many bytes; null: none do.
  [[nodiscard]] const MatrixUnits *unitsFor(std::int64_t elementBytes) const;
};

/// A machine by its name: an architecture of CUDA, one of HIP, or "cpu"; null: it is not known.
const Machine *machineNamed(const std::string &name);
/// All machines, oldest first.
const std::vector<Machine> &machines();

/// All that is known of every machine, as a table for people: a line a machine, bytes in KiB.
std::string machineTable();

/// Bytes of an element that matrix units multiply; 0: none do.
std::int64_t multipliedBytes(Type type);
/// The architectures of CUDA by name, oldest first.
std::vector<std::string> cudaArchitectures();

} // namespace polymend
