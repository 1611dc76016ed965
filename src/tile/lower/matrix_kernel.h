// Kernels on matrix units: a plan with products becomes a rectangular kernel, and that a kernel with roles.
#pragma once

#include "tile/lowering.h"
#include "tile/matrix.h"

#include <functional>

namespace polymend {

/// The kernel on matrix units that stands before a kernel of the general route, and the array in which it marks the
/// rows that the general route must compute again.
struct OnMatrixUnits {
  Kernel kernel;
  TileArray fallback;
  std::vector<std::pair<std::string, std::string>> approximations; // as in TileProgram
  std::vector<std::size_t> marked; // the rows that have marks of their own; none: one for all, which only the host sets
  Expr parts;                    // present: it leaves so many parts of states, and clears marks that only the host sets
  std::vector<TileArray> handed; // the parts
  std::optional<Kernel> clears{};       // present: it clears marks before this one
  std::optional<ChunkLists> lists = {}; // of the chunks it visits
  std::optional<Kernel> unlisted = {};  // lists: the same kernel, which visits all chunks
};

/// `program` holds the arrays, and the kernels that come before. Absent: nothing in the plan is a product for matrix
/// units. Refused: a product is there, but something stands in the way.
std::optional<Result<OnMatrixUnits>> lowerMatrix(const Lowering &lowering, const KernelPlan &general,
                                                 const std::string &name, const std::set<std::string> &names,
                                                 const std::map<int, Residence> &homes, const TileProgram &program);

/// Adds what lists chunks; of `when`, only where it holds.
void addLists(const ChunkLists &lists, const Expr &when, TileProgram &program);

/// Where few tiles leave processors idle in the last round, the same kernel with smaller tiles may be done sooner:
/// which of them runs is decided by sizes. A tile of three groups multiplies about 4 % faster than one of two; one of a
/// single group has nothing to run beside its element-wise work. Absent: there is no such kernel.
std::optional<OnMatrixUnits>
smallerTiles(OnMatrixUnits &wide, const LowerOptions &options,
             const std::function<std::optional<Result<OnMatrixUnits>>(const LowerOptions &)> &lowerWith);

} // namespace polymend
