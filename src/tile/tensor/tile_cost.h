// What tiles take of shared memory and registers.
#pragma once

#include "products.h"

namespace polymend {

/// Extents of a plan's tiles on matrix units.
struct Extents {
  std::vector<std::int64_t> rows; // per row dimension: of the box
  std::size_t rolled = 0;         // of the loops of a sum, the one that comes in chunks; the others turn beside it
  std::int64_t chunk = 0;
};

/// Do so many slots of every tile that the phase's products copy in each chunk, and one of every other, fit shared
/// memory?
bool fitsShared(const System &system, const KernelPlan &plan, const Phase &phase, const Extents &extents,
                const Products &products, std::int64_t slots = 2);

/// Registers beside the matrices of one computing thread. `held`, in quarters: by what is looked up for a column and by
/// the choice among several pieces of a mask. In quarters of a column per element of a chunk: `between` products, for
/// what is looked up for each element; `ahead`, for a factor that is computed of a tile whose two sides the loop leaves
/// open: as it is read, as it is computed, as it is kept.
struct OtherRegisters {
  std::int64_t held = 0, between = 0, ahead = 0;
};
OtherRegisters otherRegisters(const System &system, const Phase &phase, std::size_t chunked,
                              const std::vector<std::size_t> &wide, const Products &products);

} // namespace polymend
