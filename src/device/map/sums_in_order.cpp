// for k in [first, limit): s += t(k) becomes for chunks: terms[k] = t(k), by all threads; for k: s += terms[k], by one.
// A term is rounded where it is stored as it is before it is added, and terms are added in their order: the sum is the
// same number. No term may read what the sum is added to.
#include "sums_in_order.h"

#include "device/stride.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

using Kind = PointDim::Kind;

constexpr std::int64_t termsOfOne = 256, neighbours = 8, termsOfNeighbours = 256, few = 32;

/// One sum in order, at each point of so many parallel dimensions, which do not bound it.
bool isSumInOrder(const TilePoints &points, std::size_t parallel, const Scope &scope) {
  if (points.dims.size() != parallel + 1 || points.body.size() != 1 || points.dims.back().kind != Kind::Serial)
    return false;
  const PointDim &sum = points.dims.back();
  const TileAssign &a = points.body.front();
  const Type type = scope.typeOf(a.target.array);
  const bool isPlain = a.update == Update::Sum && !a.where && a.value.type() == type && computeType(type) == type;
  if (!isPlain || !isFloating(type) || reads(a.value, a.target.array)) return false;
  for (std::size_t d = 0; d < parallel; ++d)
    if (points.dims[d].kind != Kind::Parallel || dependsOn(sum.first, points.dims[d].variable) ||
        dependsOn(sum.limit, points.dims[d].variable))
      return false;
  const Expr length = simplify(sum.limit - sum.first);
  const bool isShort = length.op() == Op::Integer && length->integer < few;
  return !isShort && !reads(sum.first) && !reads(sum.limit) &&
         motionOf(a.target.subscripts, sum.variable) == Motion::Still && reads(a.value);
}

Expr withPlace(const Expr &e, const std::string &variable, const Expr &place) {
  return simplify(substitute(e, [&](const std::string &name) { return name == variable ? place : Expr(); }));
}

/// The loop over chunks of a sum's terms, for the points of `lines` (at most one dimension), into `target`.
TileLoop inChunks(const PointDim &sum, const Expr &term, const std::vector<PointDim> &lines, const Ref &target,
                  const TileArray &terms, Scope &scope) {
  const std::int64_t size = lines.empty() ? termsOfOne : termsOfNeighbours;
  const std::string chunk = scope.fresh(sum.variable + "_chunk"), within = scope.fresh(sum.variable + "_within");
  const Expr begin = Expr::symbol(chunk, Type::Int64), place = Expr::symbol(within, Type::Int64);
  const Expr count = Expr::make(Op::Min, Type::Int64, {Expr::integer(size), simplify(sum.limit - begin)});
  std::vector<Expr> at;
  for (const PointDim &line : lines) at.push_back(Expr::symbol(line.variable, Type::Int64));
  at.push_back(place);
  const auto points = [&](Kind kind, TileAssign assign) {
    TilePoints result{lines, {std::move(assign)}};
    result.dims.push_back({within, Expr::integer(0), count, kind});
    return nodeOf(std::move(result));
  };
  const Expr value = withPlace(term, sum.variable, simplify(begin + place));
  return {chunk,
          sum.first,
          sum.limit,
          size,
          TileLoop::Kind::Serial,
          {points(Kind::Parallel, {{terms.name, at}, Update::Set, value, {}}),
           points(Kind::Serial, {target, Update::Sum, Expr::read(terms.name, at, terms.type), {}})}};
}

TileArray termsOf(const TilePoints &points, std::vector<Expr> extents, Scope &scope) {
  TileArray terms;
  terms.name = scope.fresh(points.body.front().target.array + "_terms");
  terms.type = scope.typeOf(points.body.front().target.array);
  terms.extents = std::move(extents);
  terms.written = true;
  return terms;
}

} // namespace

TileBlock withTermsAside(const TileBlock &nodes, std::vector<TileArray> &tiles, Scope &scope) {
  return rebuild(nodes, [&](const TileNode &node) -> TileBlock {
    const auto *points = as<TilePoints>(node);
    if (points == nullptr || !isSumInOrder(*points, 0, scope)) return {node};
    const TileAssign &a = points->body.front();
    tiles.push_back(termsOf(*points, {Expr::integer(termsOfOne)}, scope));
    return {nodeOf(inChunks(points->dims.back(), a.value, {}, a.target, tiles.back(), scope))};
  });
}

std::optional<Kernel> sumsByBlocks(const TilePoints &points, Scope &scope) {
  if (!isSumInOrder(points, 1, scope)) return std::nullopt;
  const PointDim &row = points.dims.front();
  if (reads(row.first) || reads(row.limit)) return std::nullopt;
  const TileAssign &a = points.body.front();
  const std::string block = scope.fresh(row.variable + "_block"), line = scope.fresh(row.variable + "_line");
  const Expr size = Expr::integer(neighbours), own = Expr::symbol(line, Type::Int64);
  const Expr begin = simplify(row.first + size * Expr::symbol(block, Type::Int64)), index = simplify(begin + own);
  const std::vector<PointDim> lines{
      {line, Expr::integer(0), Expr::make(Op::Min, Type::Int64, {size, simplify(row.limit - begin)}), Kind::Parallel}};
  const TileArray terms = termsOf(points, {size, Expr::integer(termsOfNeighbours + 1)}, scope);
  TileArray total = terms;
  total.name = scope.fresh(a.target.array + "_total");
  total.extents = {size};
  Ref whole = a.target;
  for (Expr &subscript : whole.subscripts) subscript = withPlace(subscript, row.variable, index);
  const Ref part{total.name, {own}};
  const Expr before = Expr::read(whole.array, whole.subscripts, total.type),
             after = Expr::read(part.array, {own}, total.type);
  Kernel kernel;
  const Expr last = simplify(row.limit - row.first - Expr::integer(1));
  const Expr blocks = simplify(Expr::make(Op::FloorDiv, Type::Int64, {last, size}) + Expr::integer(1));
  kernel.grid = {{block, Expr::integer(0), blocks, Kind::Parallel}};
  kernel.tiles = {total, terms};
  kernel.body = {
      nodeOf(TilePoints{lines, {{part, Update::Set, before, {}}}}),
      nodeOf(inChunks(points.dims.back(), withPlace(a.value, row.variable, index), lines, part, terms, scope)),
      nodeOf(TilePoints{lines, {{whole, Update::Set, after, {}}}})};
  return kernel;
}

} // namespace polymend::device_room
