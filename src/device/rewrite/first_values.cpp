#include "device/first_values.h"

#include "device/walk.h"

namespace polymend::device_room {

namespace {

/// The block with the scalar declared where it gets its first value; nothing where one is needed from before.
std::optional<DeviceBlock> declared(const DeviceBlock &block, const std::string &scalar) {
  DeviceBlock result;
  bool isDeclared = false;
  for (const DeviceNode &node : block) {
    result.push_back(node);
    if (isDeclared || !touches(node, scalar)) continue;
    bool ownRead = false;
    eachExpr(node, [&](const Expr &e) { ownRead = ownRead || reads(e, scalar); });
    if (ownRead) return std::nullopt;
    if (auto *assign = std::get_if<DeviceAssign>(&result.back())) {
      if (assign->what.update != Update::Set || assign->what.where) return std::nullopt;
      assign->declares = isDeclared = true;
      continue;
    }
    bool fits = !blocksOf(node).empty(); // each of them declares its own
    result.back() = withBlocks(node, [&](const DeviceBlock &inner) {
      const auto within = declared(inner, scalar);
      fits = fits && within;
      return within.value_or(DeviceBlock());
    });
    if (!fits) return std::nullopt;
  }
  return result;
}

} // namespace

DeviceKernel withFirstValues(DeviceKernel kernel) {
  for (DeviceTile &tile : kernel.tiles) {
    if (tile.place != DeviceTile::Place::Stack || !tile.array.extents.empty()) continue;
    const auto body = declared(kernel.body, tile.array.name);
    if (!body) continue;
    kernel.body = *body;
    tile.place = DeviceTile::Place::Assignment;
  }
  return kernel;
}

} // namespace polymend::device_room
