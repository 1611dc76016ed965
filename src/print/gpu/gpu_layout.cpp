// Tiles begin at multiples of 16 bytes. A row whose length is a multiple of all banks is padded by 16 bytes, so that a
// column lies in different banks.
#include "print/gpu_layout.h"

#include <algorithm>

namespace polymend::print_room {

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

std::int64_t bytesOf(const TileArray &a) {
  std::int64_t bytes = bytesOf(a.type);
  for (const std::int64_t extent : paddedExtents(a))
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return INT64_MAX / 4;
  return std::min((bytes + alignment - 1) / alignment * alignment, INT64_MAX / 4);
}

void notTargets(const TileBlock &nodes, const Context &context, std::set<std::string> &candidates);

struct Targets {
  const Context &context;
  std::set<std::string> &candidates;
  void operator()(const TileAssign &) const {}
  void operator()(const TileNote &) const {}
  void operator()(const TileSync &) const {}
  void operator()(const std::shared_ptr<const TileAsync> &) const {}
  void operator()(const std::shared_ptr<const TileLoop> &l) const { notTargets(l->body, context, candidates); }
  void operator()(const std::shared_ptr<const TileBranch> &b) const {
    notTargets(b->then, context, candidates);
    notTargets(b->otherwise, context, candidates);
  }
  void operator()(const std::shared_ptr<const TilePoints> &p) const {
    if (p->dims.empty() || planRegion(*p, {{}, {}}, context).form == RegionPlan::Form::Whole) return;
    for (const TileAssign &a : p->body) candidates.erase(a.target.array);
  }
};

/// Removes the targets of regions that are not reduced by the whole block.
void notTargets(const TileBlock &nodes, const Context &context, std::set<std::string> &candidates) {
  for (const TileNode &node : nodes) std::visit(Targets{context, candidates}, node);
}

} // namespace

Layout layOut(const std::vector<TileArray> &tiles, const std::set<std::string> &held, std::int64_t limit,
              const std::set<std::string> &owned) {
  Layout layout;
  layout.held = held;
  std::vector<const TileArray *> inside;
  std::int64_t total = 0;
  for (const TileArray &a : tiles) {
    if (held.contains(a.name)) continue;
    if (a.space == Space::Row) {
      layout.scratch.push_back(&a);
      continue;
    }
    if (owned.contains(a.name)) {
      layout.owned.push_back(&a);
      continue;
    }
    inside.push_back(&a);
    total += std::min(bytesOf(a), INT64_MAX / 4 - total);
  }
  while (total > limit - staticBytes && !inside.empty()) {
    const auto largest = std::max_element(
        inside.begin(), inside.end(), [](const TileArray *a, const TileArray *b) { return bytesOf(*a) < bytesOf(*b); });
    layout.scratch.push_back(*largest);
    inside.erase(largest);
    total = 0;
    for (const TileArray *a : inside) total += std::min(bytesOf(*a), INT64_MAX / 4 - total);
  }
  for (const TileArray *a : inside) {
    layout.shared.push_back({a, paddedExtents(*a), layout.bytes});
    layout.bytes += bytesOf(*a);
  }
  return layout;
}

std::set<std::string> heldScalars(const Kernel &kernel, const Context &context) {
  std::set<std::string> candidates;
  for (const TileArray &a : kernel.tiles)
    if (a.extents.empty()) candidates.insert(a.name);
  notTargets(kernel.body, context, candidates);
  return candidates;
}

} // namespace polymend::print_room
