// A kernel of a point for each chunk counts the points that take part. Where the condition is asked for rows or columns
// beyond the arrays, where reads give zero, more chunks are of kind 1. Threads share the points of a chunk as one run
// of numbers, along the columns first.
#include "chunk_question.h"

#include "tile/visit.h"

namespace polymend {
namespace {

Expr number32(std::int64_t value) { return Expr::integer(value, Type::Int32); }

std::int64_t lengthOf(const PointDim &d) { return d.limit->integer - d.first->integer; }

/// The sum over all points of 1 where the condition holds: a term asks it of a few neighbours in a row, for which a
/// place is computed once.
TilePoints countedPoints(const ChunkQuestion &q, const std::string &sum, const std::string &point) {
  constexpr std::int64_t neighbours = 4;
  const PointDim &row = q.dims[0], &column = q.dims[1];
  const std::int64_t width = lengthOf(column), step = width % neighbours == 0 ? neighbours : 1;
  const Expr term = Expr::symbol(point, Type::Int64), inRow = Expr::integer(width / step);
  const Expr i = simplify(row.first + Expr::make(Op::FloorDiv, Type::Int64, {term, inRow})),
             j = Expr::make(Op::FloorMod, Type::Int64, {term, inRow}) * Expr::integer(step);
  Expr count;
  for (std::int64_t k = 0; k < step; ++k) {
    const Expr at = simplify(column.first + Expr::integer(k) + j);
    const Expr holds = simplify(substitute(q.condition, [&](const std::string &name) {
      return name == row.variable ? i : name == column.variable ? at : Expr();
    }));
    const Expr one = Expr::make(Op::Select, Type::Int32, {holds, number32(1), number32(0)});
    count = count ? count + one : one;
  }
  return {{{point, Expr::integer(0), Expr::integer(lengthOf(row) * width / step), PointDim::Kind::Reduced}},
          {{{sum, {}}, Update::Sum, count, {}}}};
}

} // namespace

std::optional<ChunkKinds> kindsByPoints(const ChunkQuestion &q, const PassContext &context) {
  std::set<std::string> &names = q.kernel.names;
  const TileArray sum = scalarTile(freshName(names, "taking_part"), Type::Int32);
  RectangularKernel asking;
  asking.grid = q.grid;
  asking.grid.push_back({q.chunk->name, Expr::integer(0), q.chunks, PointDim::Kind::Parallel});
  asking.before = {nodeOf(countedPoints(q, sum.name, freshName(names, "point")))};
  const auto guarded = guardReads(asking, context);
  if (!guarded) return std::nullopt;
  const TileArray kinds = kindsFor(q);
  const Expr count = Expr::read(sum.name, {}, Type::Int32),
             points = number32(lengthOf(q.dims[0]) * lengthOf(q.dims[1]));
  Kernel looks;
  looks.name = q.kernel.name + "_kinds";
  looks.grid = asking.grid;
  looks.tiles = {sum};
  const Expr hasPoints = beginsWithin(q, q.kernel.loop->first, q.kernel.loop->limit);
  looks.body = {TileAssign{{sum.name, {}}, Update::Set, number32(0), {}},
                nodeOf(TileBranch{hasPoints, guarded->before, {}}),
                TileAssign{{kinds.name, variablesOf(asking.grid)},
                           Update::Set,
                           kindWhere(q, Expr::make(Op::Eq, {count, number32(0)}), Expr::make(Op::Eq, {count, points})),
                           {}}};
  return ChunkKinds{kinds, looks};
}

} // namespace polymend
