// A Parallel dimension may move inwards past anything: its iterations are independent. A Reduced one may pass Parallel
// and Reduced ones; in strict mode it keeps its place among Reduced and Serial ones. A bound never loses what it uses.
#include "device/order.h"

#include "device/depends.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

bool mayGoInnermost(const TilePoints &points, std::size_t index, bool strict) {
  const PointDim &dim = points.dims[index];
  if (dim.kind == PointDim::Kind::Serial && index + 1 != points.dims.size()) return false;
  for (std::size_t i = index + 1; i < points.dims.size(); ++i) {
    const PointDim &other = points.dims[i];
    if (dependsOn(other.first, dim.variable) || dependsOn(other.limit, dim.variable)) return false;
    if (dim.kind == PointDim::Kind::Parallel) continue;
    if (other.kind == PointDim::Kind::Serial || (strict && other.kind == PointDim::Kind::Reduced)) return false;
  }
  return true;
}

int scoreRead(Motion motion) {
  switch (motion) {
  case Motion::Still: return 1;
  case Motion::Unit: return 2;
  case Motion::Other: break;
  }
  return -3;
}

/// Sums that have nothing to do with one another, of elements that stand still.
bool accumulates(const TilePoints &points, const PointDim &dim) {
  return dim.kind == PointDim::Kind::Reduced && areIndependent(points.body) &&
         std::all_of(points.body.begin(), points.body.end(), [&](const TileAssign &a) {
           return a.update != Update::Set && motionOf(a.target.subscripts, dim.variable) == Motion::Still;
         });
}

int scoreTarget(const TilePoints &points, const TileAssign &a, const PointDim &dim) {
  const Motion motion = motionOf(a.target.subscripts, dim.variable);
  if (dim.kind == PointDim::Kind::Parallel) return motion == Motion::Unit ? 4 : -4;
  if (motion != Motion::Still) return -2;
  return reducesAside(points, dim) || accumulates(points, dim) ? 3 : -2;
}

bool isShort(const PointDim &dim) {
  const Expr extent = simplify(dim.limit - dim.first);
  return extent.op() == Op::Integer && extent->integer < 8;
}

int score(const TilePoints &points, const PointDim &dim) {
  int total = isShort(dim) ? -4 : 0;
  for (const TileAssign &a : points.body) {
    total += scoreTarget(points, a, dim);
    visit(a.value, [&](const Expr &e) {
      if (e.op() == Op::Read) total += scoreRead(motionOf(e->args, dim.variable));
    });
  }
  return total;
}

} // namespace

bool reducesAside(const TilePoints &points, const PointDim &innermost) {
  if (points.body.size() != 1 || innermost.kind != PointDim::Kind::Reduced) return false;
  const TileAssign &a = points.body.front();
  bool readsTarget = false;
  visit(a.value,
        [&](const Expr &e) { readsTarget = readsTarget || (e.op() == Op::Read && e->name == a.target.array); });
  return !readsTarget && a.update != Update::Set && motionOf(a.target.subscripts, innermost.variable) == Motion::Still;
}

std::vector<std::size_t> chooseOrder(const TilePoints &points, bool strict) {
  std::vector<std::size_t> order(points.dims.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::optional<std::size_t> best;
  int bestScore = 0;
  for (std::size_t i = points.dims.size(); i-- > 0;) {
    if (!mayGoInnermost(points, i, strict)) continue;
    const int value = score(points, points.dims[i]);
    if (best && value <= bestScore) continue;
    best = i;
    bestScore = value;
  }
  if (!best) return order;
  order.erase(std::find(order.begin(), order.end(), *best));
  order.push_back(*best);
  return order;
}

bool areRecurrences(const TilePoints &points, const PointDim &row, const PointDim &along) {
  const bool isFree = row.kind == PointDim::Kind::Parallel && along.kind == PointDim::Kind::Serial && !isShort(row) &&
                      !dependsOn(along.first, row.variable) && !dependsOn(along.limit, row.variable);
  return isFree && std::all_of(points.body.begin(), points.body.end(), [&](const TileAssign &a) {
           const bool isCarried = a.update != Update::Set || reads(a.value, a.target.array);
           const bool isInOrder =
               isFloating(a.value.type()) || motionOf(a.target.subscripts, along.variable) != Motion::Still;
           return isCarried && isInOrder && motionOf(a.target.subscripts, row.variable) != Motion::Still;
         });
}

namespace {

bool runsAlong(const TilePoints &points, const PointDim &dim) {
  bool runs = true;
  for (const TileAssign &a : points.body) {
    runs = runs && motionOf(a.target.subscripts, dim.variable) == Motion::Unit;
    visit(a.value, [&](const Expr &e) {
      if (e.op() == Op::Read) runs = runs && motionOf(e->args, dim.variable) != Motion::Other;
    });
  }
  return runs;
}

} // namespace

std::vector<TilePoints> distribute(const TilePoints &points, bool strict) {
  if (points.body.size() < 2 || points.dims.empty() || !areIndependent(points.body)) return {points};
  if (runsAlong(points, points.dims[chooseOrder(points, strict).back()])) return {points};
  std::vector<TilePoints> parts;
  parts.reserve(points.body.size());
  for (const TileAssign &a : points.body) parts.push_back({points.dims, {a}});
  return parts;
}

std::optional<std::array<std::size_t, 2>> matchTransposition(const TilePoints &points, const TypeOf &typeOf) {
  if (points.body.size() != 1 || points.dims.size() != 2) return std::nullopt;
  const TileAssign &a = points.body.front();
  const bool copies =
      a.update == Update::Set && !a.where && a.value.op() == Op::Read && a.value->name != a.target.array;
  const Type type = typeOf(a.target.array);
  const bool vectors = type == Type::Float32 || type == Type::Float64 || type == Type::Int32 || type == Type::Int64;
  if (!copies || !vectors || typeOf(a.value->name) != type) return std::nullopt;
  for (const std::size_t column : {1U, 0U}) {
    const PointDim &inner = points.dims[column], &outer = points.dims[1 - column];
    if (inner.kind != PointDim::Kind::Parallel || outer.kind != PointDim::Kind::Parallel) continue;
    if (dependsOn(inner.first, outer.variable) || dependsOn(inner.limit, outer.variable)) continue;
    if (dependsOn(outer.first, inner.variable) || dependsOn(outer.limit, inner.variable)) continue;
    if (motionOf(a.target.subscripts, inner.variable) != Motion::Unit) continue;
    if (motionOf(a.value->args, outer.variable) != Motion::Unit) continue;
    if (motionOf(a.value->args, inner.variable) == Motion::Other) return {{1 - column, column}};
  }
  return std::nullopt;
}

} // namespace polymend::device_room
