// Matrix units: what an architecture offers to kernels with roles, as numbers.
#pragma once

#include "polymend/expr.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polymend {

/// The instructions that products and copies are made of.
enum class MatrixInstructions {
  Wgmma,  // products of a warp group from shared memory, tiles copied by the copy engine
  MmaSync // products of a warp from registers, tiles copied by threads in chunks of 16 bytes
};

/// A cut of a block's threads: so many groups of 128 compute, with so many registers a thread for matrices, fewer by
/// `between` where values are computed between products; not worth it for shorter chunks.
struct GroupBudget {
  std::int64_t groups = 1, registers = 0, leastChunk = 16, between = 0;
};

/// What a block may have on one multiprocessor for products of elements of so many bytes: 2: of 16-bit numbers into
/// float, 4: of floats, rounded to tf32, into float, 8: of doubles into double.
struct MatrixUnits {
  MatrixInstructions instructions = MatrixInstructions::Wgmma;
  std::int64_t sharedBytes = 0;      // for channels
  std::int64_t processors = 0;       // that work beside each other
  std::vector<GroupBudget> budgets;  // the best first
  std::vector<std::int64_t> columns; // of a product's tile where the sum's loop leaves them open, the best first
  std::int64_t copiedAt = 2;         // columns of copied tiles begin at multiples of so many bytes
  std::int64_t elementBytes = 2;
};

/// The matrix units that kernels for an architecture of CUDA use for products of 16-bit numbers; absent: none.
std::optional<MatrixUnits> matrixUnitsOf(const std::string &arch);
/// Those of the same architecture for products of elements of so many bytes.
MatrixUnits unitsFor(const MatrixUnits &units, std::int64_t elementBytes);
/// The instructions that products of such elements are made of, where those of 16-bit numbers are made of `narrow`.
MatrixInstructions instructionsFor(MatrixInstructions narrow, std::int64_t elementBytes);
/// Bytes of an element that units multiply; 0: none do.
std::int64_t multipliedBytes(Type type);
/// The architectures of CUDA by name, oldest first.
std::vector<std::string> cudaArchitectures();

} // namespace polymend
