// Matrices that element-wise regions of a chunk read from memory come by copies, like the factors of products: each
// such read becomes one of a tile of its own, filled at the chunk's beginning. What no copy can take (other types,
// other subscripts) is read from memory as before.
#include "tile/matrix.h"
#include "tile/visit.h"

#include <algorithm>
#include <optional>

namespace polymend {
namespace {

/// The dimensions of a region that a read moves along: one with the rows of the array's matrix, one with its columns.
struct Moves {
  const PointDim *row = nullptr, *column = nullptr;
};

/// `e` is `variable` plus what does not depend on it.
bool isShifted(const Expr &e, const std::string &variable) {
  return symbols(simplify(e - Expr::symbol(variable, Type::Int64))).count(variable) == 0;
}

bool fillsUnits(const PointDim &d) {
  const bool constant = d.first.op() == Op::Integer && d.first->integer == 0 && d.limit.op() == Op::Integer;
  return constant && d.limit->integer % 16 == 0 && d.limit->integer <= 256;
}

class ReadCopier {
public:
  ReadCopier(RectangularKernel &rectangular, const std::vector<TileArray> &all, std::int64_t size)
      : kernel(rectangular), arrays(all), bytes(size) {}
  TileBlock body(const TileBlock &block);

private:
  [[nodiscard]] std::optional<Moves> movesOf(const Expr &read, const TilePoints &points) const;
  [[nodiscard]] bool isCopy(const TilePoints &points) const;
  Expr fromTile(const Expr &read, const TilePoints &points);

  RectangularKernel &kernel;
  const std::vector<TileArray> &arrays;
  std::int64_t bytes;                             // of a copied element
  std::vector<TileNode> copies;                   // of this body, in order
  std::vector<std::pair<Expr, TileAssign>> known; // copied values, of all bodies
};

/// The read's dimensions, where a copy can take what it reads.
std::optional<Moves> ReadCopier::movesOf(const Expr &read, const TilePoints &points) const {
  if (read.op() != Op::Read || multipliedBytes(read.type()) != bytes || points.dims.size() != 2) return std::nullopt;
  const auto array =
      std::find_if(arrays.begin(), arrays.end(), [&](const TileArray &a) { return a.name == read->name; });
  const std::size_t rank = read->args.size();
  if (array == arrays.end() || rank < 2 || rank > 5 || array->extents.size() != rank) return std::nullopt;
  if (!std::all_of(array->extents.begin(), array->extents.end(), [](const Expr &e) { return bool(e); }))
    return std::nullopt;
  Moves moves;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::set<std::string> used = symbols(read->args[d]);
    for (const PointDim &dim : points.dims) {
      if (!used.count(dim.variable)) continue;
      const PointDim *&place = d + 1 == rank ? moves.column : moves.row;
      if (place || !fillsUnits(dim) || !isShifted(read->args[d], dim.variable)) return std::nullopt;
      place = &dim;
    }
  }
  const bool both = moves.row && moves.column && moves.row != moves.column;
  return both && moves.row->limit->integer % 8 == 0 ? std::optional(moves) : std::nullopt;
}

bool ReadCopier::isCopy(const TilePoints &points) const {
  return points.body.size() == 1 && points.body[0].update == Update::Set && !points.body[0].where &&
         movesOf(points.body[0].value, points);
}

/// The element of a tile that holds what is read.
Expr ReadCopier::fromTile(const Expr &read, const TilePoints &points) {
  const auto moves = movesOf(read, points);
  if (!moves) return read;
  const std::vector<Expr> at{Expr::symbol(moves->row->variable, Type::Int64),
                             Expr::symbol(moves->column->variable, Type::Int64)};
  const auto same = std::find_if(known.begin(), known.end(), [&](const auto &k) { return equal(k.first, read); });
  std::string name;
  if (same != known.end()) {
    const Ref &target = same->second.target;
    if (std::any_of(copies.begin(), copies.end(),
                    [&](const TileNode &n) { return as<TilePoints>(n)->body[0].target.array == target.array; }))
      return Expr::read(target.array, target.subscripts, read.type());
    name = target.array;
  } else {
    name = read->name + "_copy";
    while (!kernel.names.insert(name).second) name += "_";
    TileArray tile;
    tile.name = name;
    tile.type = read.type();
    tile.written = true;
    tile.extents = {moves->row->limit, moves->column->limit};
    kernel.tiles.push_back(tile);
    known.push_back({read, {{name, at}, Update::Set, read, {}}});
  }
  TilePoints copy;
  for (const PointDim *dim : {moves->row, moves->column})
    copy.dims.push_back({dim->variable, dim->first, dim->limit, PointDim::Kind::Parallel});
  copy.body.push_back({{name, at}, Update::Set, read, {}});
  copies.emplace_back(nodeOf(copy));
  return Expr::read(name, at, read.type());
}

TileBlock ReadCopier::body(const TileBlock &block) {
  copies.clear();
  TileBlock rest;
  for (const TileNode &node : block) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points || !isCopy(*points)) {
      rest.push_back(node);
      continue;
    }
    copies.push_back(node);
    if (std::none_of(known.begin(), known.end(), [&](const auto &k) { return equal(k.first, points->body[0].value); }))
      known.emplace_back(points->body[0].value, points->body[0]);
  }
  for (TileNode &node : rest) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points) continue;
    TilePoints changed = *points;
    for (TileAssign &assign : changed.body)
      assign.value = rewrite(assign.value, [&](const Expr &e) { return fromTile(e, *points); });
    node = nodeOf(changed);
  }
  TileBlock result = copies;
  append(result, rest);
  return result;
}

} // namespace

Result<RectangularKernel> copyReads(RectangularKernel kernel, const PassContext &context) {
  if (!kernel.loop) return kernel;
  ReadCopier copier(kernel, context.arrays, context.units.elementBytes);
  kernel.loop->full = copier.body(kernel.loop->full);
  kernel.loop->masked = copier.body(kernel.loop->masked);
  return kernel;
}

} // namespace polymend
