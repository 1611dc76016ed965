// for x in [first, limit) becomes for lane in [0, lanes), for turn: x = first + lane + lanes turn. There are as many
// lanes as it takes to fill a device with the points of the other dimensions.
#include "strided_rows.h"

#include "device/bounds.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

constexpr std::int64_t pointsThatFill = 16384;

bool readsData(const PointDim &dim) { return reads(dim.first) || reads(dim.limit); }

/// How many points the dimensions that data do not bound have, at most.
Expr otherPoints(const std::vector<PointDim> &grid) {
  Expr points = Expr::integer(1);
  std::vector<PointDim> before;
  for (const PointDim &dim : grid) {
    if (readsData(dim)) continue;
    before.push_back(dim);
    const std::optional<Box> box = boxOf(before, before.size() - 1);
    if (!box) continue;
    points = points * Expr::make(Op::Max, Type::Int64, {simplify(box->limit - box->first), Expr::integer(1)});
  }
  return simplify(points);
}

Expr replaced(const Expr &e, const std::string &variable, const Expr &value) {
  return substitute(e, [&](const std::string &name) { return name == variable ? value : Expr(); });
}

std::string fresh(const Kernel &kernel, std::string name) {
  const auto isTaken = [&](const std::string &wanted) {
    bool taken = std::any_of(kernel.grid.begin(), kernel.grid.end(),
                             [&](const PointDim &dim) { return dim.variable == wanted; });
    each<TileLoop>(kernel.body, [&](const TileLoop &loop) { taken = taken || loop.variable == wanted; });
    each<TilePoints>(kernel.body, [&](const TilePoints &points) {
      for (const PointDim &dim : points.dims) taken = taken || dim.variable == wanted;
    });
    return taken;
  };
  while (isTaken(name)) name += "_";
  return name;
}

} // namespace

Kernel withStridedRows(const Kernel &kernel) {
  Kernel result = kernel;
  const Expr others = otherPoints(kernel.grid);
  const Expr fill = Expr::make(Op::FloorDiv, Type::Int64, {Expr::integer(pointsThatFill), others});
  const Expr lanes = simplify(Expr::make(Op::Max, Type::Int64, {fill, Expr::integer(1)}));
  for (std::size_t d = result.grid.size(); d-- > 0;) {
    const PointDim dim = result.grid[d];
    if (!readsData(dim)) continue;
    const Expr lane = Expr::symbol(fresh(result, dim.variable + "_lane"), Type::Int64);
    const Expr turn = Expr::symbol(fresh(result, dim.variable + "_turn"), Type::Int64);
    const Expr row = dim.first + lane + lanes * turn;
    for (std::size_t later = d + 1; later < result.grid.size(); ++later) {
      result.grid[later].first = replaced(result.grid[later].first, dim.variable, row);
      result.grid[later].limit = replaced(result.grid[later].limit, dim.variable, row);
    }
    const Expr room = dim.limit - dim.first - lane + lanes - Expr::integer(1);
    const Expr turns = Expr::make(Op::FloorDiv, Type::Int64, {simplify(room), lanes});
    const TileBlock body = rewriteExprs(result.body, [&](const Expr &e) { return replaced(e, dim.variable, row); });
    result.grid[d] = {lane->name, Expr::integer(0), lanes, PointDim::Kind::Parallel};
    result.body = {nodeOf(TileLoop{turn->name, Expr::integer(0), turns, 1, TileLoop::Kind::Serial, body})};
  }
  return result;
}

} // namespace polymend::device_room
