// A region of one assignment that takes a matrix element by element, or a row of sums whose parts are combined.
#include "tile/conversions.h"

#include "tile/visit.h"

#include <algorithm>

namespace polymend {

const TileArray *movedBy(const TilePoints &points, const std::vector<TileArray> &tiles) {
  if (points.body.size() != 1) return nullptr;
  const TileAssign &a = points.body[0];
  const auto matrix = [&](const std::string &name) -> const TileArray * {
    const auto at = std::find_if(tiles.begin(), tiles.end(), [&](const TileArray &t) { return t.name == name; });
    return at != tiles.end() && at->space == Space::Fragment && at->extents.size() == 2 ? &*at : nullptr;
  };
  const TileArray *to = matrix(a.target.array);
  const TileArray *from = a.value && a.value.op() == Op::Read ? matrix(a.value->name) : nullptr;
  const bool moves = from && to && from->type == to->type && a.update == Update::Set && !a.where &&
                     std::equal(a.value->args.begin(), a.value->args.end(), a.target.subscripts.begin(),
                                a.target.subscripts.end(), [](const Expr &x, const Expr &y) { return equal(x, y); });
  return moves ? from : nullptr;
}

std::vector<Converted> conversions(const Kernel &kernel) {
  std::vector<Converted> all;
  const auto tileOf = [&](const std::string &name) {
    return *std::find_if(kernel.tiles.begin(), kernel.tiles.end(), [&](const TileArray &t) { return t.name == name; });
  };
  for (const TileRole &role : kernel.roles)
    allNodes(role.body, [&](const TileNode &node) {
      const auto *sync = as<TileSync>(node);
      if (sync && sync->kind == TileSync::Kind::Combine) all.push_back({sync->name, sync->name, Conversion::Lanes});
      const TilePoints *points = as<TilePoints>(node);
      const TileArray *from = points ? movedBy(*points, kernel.tiles) : nullptr;
      if (!from) return true;
      const TileArray to = tileOf(points->body[0].target.array);
      const Conversion how = conversion(from->layout, to.layout);
      if (how != Conversion::None) all.push_back({from->name, to.name, how});
      return true;
    });
  return all;
}

} // namespace polymend
