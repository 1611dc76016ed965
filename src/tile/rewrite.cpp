// Tile blocks rebuilt with other assignments; all else stays as it is.
#include "polymend/tile.h"

#include <algorithm>

namespace polymend {

namespace {

using Change = std::function<TileAssign(const TileAssign &)>;

TileNode changed(const TileAssign &assign, const Change &f) { return f(assign); }

TileNode changed(const std::shared_ptr<const TileLoop> &loop, const Change &f) {
  TileLoop copy = *loop;
  copy.body = rewrite(copy.body, f);
  return std::make_shared<const TileLoop>(std::move(copy));
}

TileNode changed(const std::shared_ptr<const TileBranch> &branch, const Change &f) {
  return std::make_shared<const TileBranch>(
      TileBranch{branch->condition, rewrite(branch->then, f), rewrite(branch->otherwise, f)});
}

TilePoints changed(TilePoints points, const Change &f) {
  std::transform(points.body.begin(), points.body.end(), points.body.begin(), f);
  return points;
}

TileNode changed(const std::shared_ptr<const TilePoints> &points, const Change &f) {
  return std::make_shared<const TilePoints>(changed(*points, f));
}

TileNode changed(const std::shared_ptr<const TileAsync> &async, const Change &f) {
  TileAsync copy = *async;
  copy.points = changed(copy.points, f);
  return std::make_shared<const TileAsync>(std::move(copy));
}

/// A node that assigns nothing.
template <class T> TileNode changed(const T &node, const Change &) { return node; }

} // namespace

TileBlock rewrite(const TileBlock &block, const Change &f) {
  TileBlock result;
  result.reserve(block.size());
  for (const TileNode &node : block) result.push_back(std::visit([&](const auto &n) { return changed(n, f); }, node));
  return result;
}

Kernel rewrite(const Kernel &kernel, const Change &f) {
  Kernel result = kernel;
  result.body = rewrite(kernel.body, f);
  for (TileRole &role : result.roles) role.body = rewrite(role.body, f);
  return result;
}

} // namespace polymend
