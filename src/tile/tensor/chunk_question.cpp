#include "chunk_question.h"

namespace polymend {

TileArray elementFor(const std::vector<PointDim> &dims, const std::string &name, Type type) {
  TileArray array;
  array.name = name;
  array.type = type;
  array.space = Space::Work;
  array.written = true;
  for (const PointDim &d : dims) array.extents.push_back(d.limit);
  return array;
}

std::vector<Expr> variablesOf(const std::vector<PointDim> &dims) {
  std::vector<Expr> at;
  at.reserve(dims.size());
  for (const PointDim &d : dims) at.push_back(Expr::symbol(d.variable, Type::Int64));
  return at;
}

TileArray scalarTile(const std::string &name, Type type) {
  TileArray tile;
  tile.name = name;
  tile.type = type;
  tile.written = true;
  return tile;
}

TileArray kindsFor(const ChunkQuestion &q) {
  std::vector<PointDim> places = q.grid;
  places.push_back({q.chunk->name, Expr::integer(0), q.chunks, PointDim::Kind::Parallel});
  const std::string rows = std::to_string(q.dims[0].limit->integer);
  return elementFor(places, freshName(q.kernel.names, q.kernel.name + "_kinds_" + rows), Type::Int32);
}

Expr beginsWithin(const ChunkQuestion &q, const Expr &first, const Expr &limit) {
  const Expr begin = simplify(q.chunk * Expr::integer(q.kernel.loop->step));
  return Expr::make(Op::And, {Expr::make(Op::Le, {withoutLets(first, q.kernel.lets), begin}),
                              Expr::make(Op::Lt, {begin, withoutLets(limit, q.kernel.lets)})});
}

Expr kindWhere(const ChunkQuestion &q, const Expr &never, const Expr &always) {
  const auto number = [](std::int64_t value) { return Expr::integer(value, Type::Int32); };
  const Expr isFull =
      Expr::make(Op::And, {always, beginsWithin(q, q.kernel.loop->fullFirst, q.kernel.loop->fullLimit)});
  return Expr::make(Op::Select, Type::Int32,
                    {never, number(0), Expr::make(Op::Select, Type::Int32, {isFull, number(2), number(1)})});
}

} // namespace polymend
