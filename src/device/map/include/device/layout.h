// Where the tiles of a kernel live on a device.
#pragma once

#include "device/deal.h"

namespace polymend::device_room {

/// The tiles with a place each, in the order of the kernel's; `bytes` of shared memory are taken.
struct Layout {
  std::vector<DeviceTile> tiles;
  std::int64_t bytes = 0;

  /// The names of those with this place.
  [[nodiscard]] std::set<std::string> at(DeviceTile::Place place) const;
};

/// `held` are scalars of which every thread has a copy, `owned` rows of which each thread touches one element alone.
/// Tiles for which `limit` bytes of shared memory have no room go to slices of global memory, the largest first.
Layout layOut(const std::vector<TileArray> &tiles, const std::set<std::string> &held, std::int64_t limit,
              const std::set<std::string> &owned = {});
/// The scalars that only whole-block reductions and single assignments write: every thread can compute them alike.
std::set<std::string> heldScalars(const Kernel &kernel, const Scope &scope);

/// From which byte on teamBytes lie, where tiles take so many.
constexpr std::int64_t teamOffset(std::int64_t tiles) { return (tiles + 15) / 16 * 16; }

} // namespace polymend::device_room
