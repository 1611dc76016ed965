// Where the tiles of a kernel live on a device.
#pragma once

#include "print/gpu_plan.h"

namespace polymend::print_room {

/// A tile in shared memory: its extents with padding, and where it begins.
struct SharedTile {
  const TileArray *array = nullptr;
  std::vector<std::int64_t> extents;
  std::int64_t offset = 0;
};

struct Layout {
  std::set<std::string> held;           // scalars, one copy a thread
  std::vector<const TileArray *> owned; // rows, an element a thread, in its register
  std::vector<SharedTile> shared;
  std::vector<const TileArray *> scratch; // in global memory, a slice a block
  std::int64_t bytes = 0;                 // of shared memory
};

std::int64_t elementBytes(Type type);
/// Tiles for which shared memory has no room go to scratch, the largest first.
/// `owned`: rows of which each thread touches one element alone.
Layout layOut(const std::vector<TileArray> &tiles, const std::set<std::string> &held, std::int64_t limit,
              const std::set<std::string> &owned = {});
/// The scalars that only whole-block reductions and single assignments write: every thread can compute them alike.
std::set<std::string> heldScalars(const Kernel &kernel, const Context &context);

} // namespace polymend::print_room
