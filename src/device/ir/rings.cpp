// A tile in shared memory stands as panels of rows of 128 bytes.
#include "device/rings.h"

#include "polymend/machine.h"

#include <algorithm>

namespace polymend::device_room {

std::int64_t slotBytes(const TileArray &tile) {
  const std::int64_t rows = constant(tile.extents[0]), columns = constant(tile.extents[1]);
  return (columns * multipliedBytes(tile.type) + rowBytes - 1) / rowBytes * rows * rowBytes;
}

std::int64_t ringBytes(const Kernel &kernel) {
  std::int64_t bytes = 0;
  for (const TileArray &tile : kernel.tiles)
    if (tile.space == Space::Shared) bytes += slotBytes(tile) * tile.ring;
  return bytes;
}

std::int64_t computingGroups(const Kernel &kernel) {
  std::int64_t groups = 1;
  for (const TileRole &role : kernel.roles)
    if (role.name != "load") groups = role.groups;
  return groups;
}

TileLayout layoutOfMatrices(const DeviceRoles &roles) {
  const auto at = std::find_if(roles.tiles.begin(), roles.tiles.end(),
                               [](const TileArray &t) { return t.extents.size() == 2 && t.layout; });
  return at == roles.tiles.end() ? TileLayout() : at->layout;
}

} // namespace polymend::device_room
