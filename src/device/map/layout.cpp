// Tiles begin at multiples of 16 bytes. A row whose length is a multiple of all banks is padded by 16 bytes, so that a
// column lies in different banks.
#include "device/layout.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

constexpr std::int64_t bankBytes = 128, alignment = 16, staticBytes = 1024;

std::vector<std::int64_t> paddedExtents(const TileArray &a) {
  std::vector<std::int64_t> extents;
  extents.reserve(a.extents.size());
  for (const Expr &e : a.extents) extents.push_back(std::max<std::int64_t>(simplify(e)->integer, 1));
  const std::int64_t bytes = bytesOf(a.type);
  if (extents.size() > 1 && extents.back() * bytes % bankBytes == 0) extents.back() += alignment / bytes;
  return extents;
}

std::int64_t sharedBytes(const TileArray &a) {
  std::int64_t bytes = bytesOf(a.type);
  for (const std::int64_t extent : paddedExtents(a))
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return INT64_MAX / 4;
  return std::min((bytes + alignment - 1) / alignment * alignment, INT64_MAX / 4);
}

void notTargets(const TileBlock &nodes, const Scope &scope, std::set<std::string> &candidates);

struct Targets {
  const Scope &scope;
  std::set<std::string> &candidates;
  void operator()(const TileAssign &) const {}
  void operator()(const TileNote &) const {}
  void operator()(const TileSync &) const {}
  void operator()(const std::shared_ptr<const TileAsync> &) const {}
  void operator()(const std::shared_ptr<const TileLoop> &l) const { notTargets(l->body, scope, candidates); }
  void operator()(const std::shared_ptr<const TileBranch> &b) const {
    notTargets(b->then, scope, candidates);
    notTargets(b->otherwise, scope, candidates);
  }
  void operator()(const std::shared_ptr<const TilePoints> &p) const {
    if (p->dims.empty() || dealOf(*p, {}, scope).form == DeviceDeal::Form::Whole) return;
    for (const TileAssign &a : p->body) candidates.erase(a.target.array);
  }
};

/// Removes the targets of regions that are not reduced by the whole block.
void notTargets(const TileBlock &nodes, const Scope &scope, std::set<std::string> &candidates) {
  for (const TileNode &node : nodes) std::visit(Targets{scope, candidates}, node);
}

} // namespace

std::set<std::string> Layout::at(DeviceTile::Place place) const {
  std::set<std::string> names;
  for (const DeviceTile &t : tiles)
    if (t.place == place) names.insert(t.array.name);
  return names;
}

Layout layOut(const std::vector<TileArray> &tiles, const std::set<std::string> &held, std::int64_t limit,
              const std::set<std::string> &owned) {
  using Place = DeviceTile::Place;
  Layout layout;
  for (const TileArray &a : tiles)
    layout.tiles.push_back({a, held.contains(a.name)    ? Place::Held
                               : a.space == Space::Row  ? Place::Slice
                               : owned.contains(a.name) ? Place::Owned
                                                        : Place::Shared});
  const auto bytesAt = [](const DeviceTile &t) { return t.place == Place::Shared ? sharedBytes(t.array) : 0; };
  for (;;) {
    std::int64_t total = 0;
    for (const DeviceTile &t : layout.tiles) total += std::min(bytesAt(t), INT64_MAX / 4 - total);
    if (total <= limit - staticBytes) break;
    const auto largest =
        std::max_element(layout.tiles.begin(), layout.tiles.end(),
                         [&](const DeviceTile &a, const DeviceTile &b) { return bytesAt(a) < bytesAt(b); });
    if (largest == layout.tiles.end() || bytesAt(*largest) == 0) break;
    largest->place = Place::Slice;
  }
  for (DeviceTile &t : layout.tiles) {
    if (t.place != Place::Shared) continue;
    t.padded = paddedExtents(t.array);
    t.offset = layout.bytes;
    layout.bytes += sharedBytes(t.array);
  }
  return layout;
}

std::set<std::string> heldScalars(const Kernel &kernel, const Scope &scope) {
  std::set<std::string> candidates;
  for (const TileArray &a : kernel.tiles)
    if (a.extents.empty()) candidates.insert(a.name);
  notTargets(kernel.body, scope, candidates);
  return candidates;
}

} // namespace polymend::device_room
