// A kernel whose tiles are lines of rows and whose chunks are lines of keys, rewritten: number r of a tile's rows is a
// place in a box of rows, number c of a chunk's keys one in a box of keys, and chunks stand side by side from the first
// key of the tile's first row on. What lines know of keys, where each turn takes them and which of them a row sees, is
// said anew by the windows; all else that a region says of its row is said of the row's new place.
#include "tile/matrix.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend {
namespace {

Expr divided(const Expr &a, std::int64_t b) {
  return b == 1 ? a : Expr::make(Op::FloorDiv, Type::Int64, {a, Expr::integer(b)});
}
Expr remainder(const Expr &a, std::int64_t b) {
  return b == 1 ? Expr::integer(0) : Expr::make(Op::FloorMod, Type::Int64, {a, Expr::integer(b)});
}
Expr both(const Expr &a, const Expr &b) { return a ? Expr::make(Op::And, {a, b}) : b; }

/// The value for a row of an end of its window.
Expr atRow(const Expr &end, const Expr &row) {
  return substitute(end, [&](const std::string &name) { return name == rowOfWindow ? row : Expr(); });
}

/// How many places the sides behind one have.
std::int64_t behind(const Boxes &boxes, std::size_t side, std::int64_t BoxSide::*count) {
  std::int64_t all = 1;
  for (std::size_t k = side + 1; k < boxes.sides.size(); ++k) all *= boxes.sides[k].*count;
  return all;
}

/// A number's place along a side. The first side has as many as there are.
Expr placeAlong(const Boxes &boxes, std::size_t side, const std::string &number, std::int64_t BoxSide::*count) {
  const std::int64_t own = boxes.sides[side].*count;
  const bool isFirst = std::all_of(boxes.sides.begin(), boxes.sides.begin() + static_cast<std::ptrdiff_t>(side),
                                   [&](const BoxSide &before) { return before.*count == 1; });
  const bool isOpen = side == 0 || (isFirst && count != &BoxSide::turns);
  if (own == 1 && (side > 0 || count != &BoxSide::turns)) return Expr::integer(0);
  const Expr from = divided(Expr::symbol(number, Type::Int64), behind(boxes, side, count));
  return isOpen ? from : remainder(from, own);
}

class BoxMaker {
public:
  BoxMaker(RectangularKernel &rectangular, const Boxes &b, const std::vector<RowNames> &names,
           const std::vector<TileArray> &all)
      : kernel(rectangular), boxes(b), rows(names), arrays(all), point(rows[boxes.tiled].point),
        turn(kernel.loop->variable) {}
  std::optional<Refusal> run();

private:
  [[nodiscard]] const TileArray *tile(const std::string &name) const;
  [[nodiscard]] bool isCopy(const TilePoints &points) const;
  [[nodiscard]] Expr tileAlong(std::size_t side) const;
  [[nodiscard]] Expr rowAlong(std::size_t side) const;
  [[nodiscard]] Expr keyAlong(std::size_t side, const std::string &key) const;
  [[nodiscard]] Expr isSeen(const std::string &key) const;
  [[nodiscard]] Expr turnsInAll() const;
  [[nodiscard]] Expr newPlace(const std::string &name) const;
  [[nodiscard]] Expr moved(const Expr &e) const;
  [[nodiscard]] bool isOfKeys(const Expr &e) const;
  [[nodiscard]] bool hasOldRows(const Expr &e) const;
  void findKeys(const TileBlock &block);
  TileAssign copied(TileAssign a);
  TileAssign computed(TileAssign a, const TilePoints &points);
  TileBlock block(const TileBlock &nodes);
  void checkProducts(const TileBlock &masked);
  void dropNames();
  void changeGrid();
  void refuse(const std::string &why) {
    if (!refusal) refusal = Refusal{why, {}};
  }

  RectangularKernel &kernel;
  const Boxes &boxes;
  const std::vector<RowNames> &rows;
  const std::vector<TileArray> &arrays; // of the program
  const std::string point, turn;
  std::vector<std::string> grid; // for each side, until all is said anew: which tile
  std::set<std::string> keys;    // point variables of chunks
  bool isOneTile = false;        // is a line of rows no longer than a tile?
  std::set<std::string> guarded; // tiles with zeros where a row does not see a key
  std::optional<Refusal> refusal;
};

const TileArray *BoxMaker::tile(const std::string &name) const {
  const auto at = std::ranges::find_if(kernel.tiles, [&](const TileArray &t) { return t.name == name; });
  return at == kernel.tiles.end() ? nullptr : &*at;
}

bool BoxMaker::isCopy(const TilePoints &points) const {
  if (points.body.size() != 1 || points.dims.size() != 2) return false;
  const TileAssign &a = points.body.front();
  return a.update == Update::Set && !a.where && a.value.op() == Op::Read && !tile(a.value->name) &&
         tile(a.target.array) && a.target.subscripts.size() == 2 && a.target.subscripts.front().op() == Op::Symbol;
}

Expr BoxMaker::tileAlong(std::size_t side) const {
  return Expr::integer(boxes.sides[side].rows) * Expr::symbol(grid[side], Type::Int64);
}

Expr BoxMaker::rowAlong(std::size_t side) const {
  return tileAlong(side) + placeAlong(boxes, side, point, &BoxSide::rows);
}

/// The key of a chunk's column.
Expr BoxMaker::keyAlong(std::size_t side, const std::string &key) const {
  const BoxSide &own = boxes.sides[side];
  return atRow(own.first, tileAlong(side)) + Expr::integer(own.keys) * placeAlong(boxes, side, turn, &BoxSide::turns) +
         placeAlong(boxes, side, key, &BoxSide::keys);
}

/// The condition that a row sees a key.
Expr BoxMaker::isSeen(const std::string &key) const {
  constexpr std::int64_t far = std::int64_t{1} << 40; // no key is
  Expr all, ofChunk;
  for (std::size_t k = 0; k < boxes.sides.size(); ++k) {
    const Expr row = rowAlong(k), at = keyAlong(k, key), end = atRow(boxes.sides[k].last, row);
    Expr first = atRow(boxes.sides[k].first, row);
    const bool isOfChunk = boxes.sides[k].keys == 1; // then it says that all of a chunk is seen, or nothing
    if (!isOfChunk && ofChunk) first = Expr::make(Op::Select, Type::Int64, {ofChunk, first, Expr::integer(far)});
    Expr &where = isOfChunk ? ofChunk : all;
    if (!isOfChunk) ofChunk = {};
    where = both(where, Expr::make(Op::Le, {first, at}));
    where = both(where, Expr::make(Op::Le, {at, end}));
  }
  return simplify(ofChunk ? both(all, ofChunk) : all);
}

/// Chunks that hold all keys which rows of the tile see: along the outermost side as many as there are, which may be
/// fewer at borders.
Expr BoxMaker::turnsInAll() const {
  const BoxSide &outer = boxes.sides.front();
  const Expr first = tileAlong(0), one = Expr::integer(1);
  const Expr last = Expr::make(Op::Min, Type::Int64, {first + Expr::integer(outer.rows - 1), outer.count - one});
  const Expr seen = simplify(atRow(outer.last, last) - atRow(outer.first, first));
  const Expr turns = simplify((divided(seen, outer.keys) + one) * Expr::integer(behind(boxes, 0, &BoxSide::turns)));
  return boxes.sizes ? Expr::make(Op::Select, Type::Int64, {boxes.sizes, turns, Expr::integer(0)}) : turns;
}

bool BoxMaker::isOfKeys(const Expr &e) const {
  return std::ranges::any_of(symbols(e), [&](const std::string &name) { return name == turn || keys.contains(name); });
}

bool BoxMaker::hasOldRows(const Expr &e) const {
  const std::set<std::string> used = e ? symbols(e) : std::set<std::string>();
  return std::ranges::any_of(boxes.sides, [&](const BoxSide &s) { return used.contains(rows[s.row].grid); });
}

/// Where a line's tile and a point in it are rows, `extent` * tile + point is one; of a dimension of single rows its
/// tile is.
Expr BoxMaker::newPlace(const std::string &name) const {
  for (std::size_t k = 0; k < boxes.sides.size(); ++k) {
    const RowNames &own = rows[boxes.sides[k].row];
    if (!own.point.empty() && name == own.point)
      return isOneTile ? rowAlong(k)
                       : rowAlong(k) - Expr::integer(boxes.sides.front().rows * behind(boxes, 0, &BoxSide::rows)) *
                                           Expr::symbol(own.grid, Type::Int64);
    if (isOneTile && name == own.grid && !own.point.empty()) return Expr::integer(0);
    if (own.point.empty() && name == own.grid) return rowAlong(k);
  }
  return {};
}

/// What is said of a row, of the row's new place; elements of tiles stay where they are.
Expr BoxMaker::moved(const Expr &e) const {
  if (!e) return e;
  const std::function<Expr(const Expr &)> of = [&](const Expr &node) -> Expr {
    if (node.op() == Op::Read && tile(node->name)) return node;
    if (node.op() == Op::Symbol) {
      const Expr place = newPlace(node->name);
      return place ? place : node;
    }
    ExprNode result = *node;
    for (Expr &arg : result.args) arg = of(arg);
    return Expr{result};
  };
  return simplify(of(e));
}

void BoxMaker::findKeys(const TileBlock &block) {
  for (const TileNode &node : block)
    if (const TilePoints *points = as<TilePoints>(node); points && isCopy(*points)) {
      const std::string &row = points->body.front().target.subscripts.front()->name;
      if (row != point) keys.insert(row);
    }
}

TileAssign BoxMaker::copied(TileAssign a) {
  const std::string &row = a.target.subscripts.front()->name;
  ExprNode read = *a.value;
  const auto array = std::ranges::find_if(arrays, [&](const TileArray &one) { return one.name == read.name; });
  if (array == arrays.end() || std::ranges::any_of(array->extents, [](const Expr &e) { return !e; }))
    refuse("nobody knows where an array ends");
  if (row == point) {
    for (Expr &subscript : read.args) subscript = moved(subscript);
    std::size_t from = 0;
    for (const std::string &own : grid) {
      const auto uses = [&](const Expr &subscript) { return symbols(subscript).contains(own); };
      if (std::ranges::count_if(read.args, uses) != 1) refuse("a copied row lies in none of its dimensions alone");
      const auto at = static_cast<std::size_t>(std::ranges::find_if(read.args, uses) - read.args.begin());
      if (at < from) refuse("rows lie in another order than what they see");
      from = at + 1;
    }
  } else {
    std::set<std::size_t> places;
    for (std::size_t k = 0; k < boxes.sides.size(); ++k) {
      const auto at = boxes.sides[k].at.find(a.value->name);
      if (at == boxes.sides[k].at.end() || at->second >= read.args.size()) {
        refuse("what is copied lies along other loops");
        return a;
      }
      read.args[at->second] = simplify(keyAlong(k, row));
      places.insert(at->second);
    }
    for (std::size_t d = 0; d < read.args.size(); ++d)
      if (!places.contains(d) && isOfKeys(read.args[d])) refuse("what is copied lies along other loops");
  }
  a.value = Expr{read};
  return a;
}

/// An assignment to a tile or to memory, whose guards are those of the boxes.
TileAssign BoxMaker::computed(TileAssign a, const TilePoints &points) {
  std::string key;
  for (const PointDim &d : points.dims)
    if (keys.contains(d.variable)) key = d.variable;
  const auto isGuard = [&](const Expr &e) { return !key.empty() && isOfKeys(e); };
  bool isGuarded = false;
  const Expr hole = Expr::symbol("is seen", Type::Bool), seen = key.empty() ? Expr() : isSeen(key);
  if (a.where && isGuard(a.where)) {
    a.where = hole;
    isGuarded = true;
  }
  a.value = rewrite(a.value, [&](const Expr &node) {
    if (node.op() != Op::Select || !isGuard(node.arg(0))) return node;
    isGuarded = true;
    return Expr::make(Op::Select, node.type(), {hole, node.arg(1), node.arg(2)});
  });
  if (isGuarded && a.update == Update::Set) guarded.insert(a.target.array);
  const bool isStored = !tile(a.target.array);
  if (isStored)
    for (Expr &subscript : a.target.subscripts) subscript = moved(subscript);
  a.value = moved(a.value);
  a.where = moved(a.where);
  bool isOpen = a.where && isOfKeys(a.where);
  const std::function<void(const Expr &)> look = [&](const Expr &node) {
    if (node.op() == Op::Read && tile(node->name)) return;
    isOpen = isOpen || (node.op() == Op::Symbol && (node->name == turn || keys.contains(node->name)));
    for (const Expr &arg : node->args) look(arg);
  };
  look(a.value);
  if (isOpen) refuse("what is computed is another for each place of a loop");
  const auto filled = [&](const std::string &name) { return name == hole->name ? seen : Expr(); };
  a.value = substitute(a.value, filled);
  if (a.where) a.where = substitute(a.where, filled);
  if (isStored)
    for (std::size_t k = 0; k < boxes.sides.size(); ++k) {
      const BoxSide &side = boxes.sides[k];
      if (side.row == boxes.tiled || (constant(side.count) > 0 && constant(side.count) % side.rows == 0)) continue;
      a.where = both(a.where, simplify(Expr::make(Op::Lt, {rowAlong(k), side.count})));
    }
  return a;
}

TileBlock BoxMaker::block(const TileBlock &nodes) {
  TileBlock result;
  for (const TileNode &node : nodes) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points) {
      if (!as<TileNote>(node)) refuse("more than regions is in a tile");
      result.push_back(node);
      continue;
    }
    TilePoints changed = *points;
    const bool copies = isCopy(*points);
    for (TileAssign &a : changed.body) a = copies ? copied(a) : computed(a, *points);
    for (const TileAssign &a : changed.body) {
      bool isOld = hasOldRows(a.value) || hasOldRows(a.where);
      for (const Expr &subscript : a.target.subscripts) isOld = isOld || hasOldRows(subscript);
      if (isOld) refuse("what is said of rows is said of tiles");
    }
    result.push_back(nodeOf(std::move(changed)));
  }
  return result;
}

/// Does all that is folded along keys leave out those that a row does not see?
void BoxMaker::checkProducts(const TileBlock &masked) {
  for (const TileNode &node : masked) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points) continue;
    const auto isFolded = [&](const PointDim &d) {
      return d.kind != PointDim::Kind::Parallel && keys.contains(d.variable);
    };
    if (std::ranges::none_of(points->dims, isFolded)) continue;
    for (const TileAssign &a : points->body) {
      bool isGuarded = a.where && isOfKeys(a.where);
      visit(a.value, [&](const Expr &e) {
        isGuarded = isGuarded || (e.op() == Op::Read && guarded.contains(e->name) && isOfKeys(e));
      });
      if (!isGuarded) refuse("a fold along keys has no guard");
    }
  }
}

/// Names that said where lines of keys are go.
void BoxMaker::dropNames() {
  std::set<std::string> named;
  for (const auto &[name, value] : kernel.lets) named.insert(name);
  bool isUsed = false;
  const auto look = [&](const Expr &e) {
    if (!e) return e;
    for (const std::string &name : symbols(e)) isUsed = isUsed || named.contains(name);
    return e;
  };
  for (const TileBlock *nodes : {&kernel.before, &kernel.loop->full, &kernel.loop->masked, &kernel.after})
    rewriteExprs(*nodes, look);
  if (isUsed) refuse("data say where rows are");
  kernel.lets.clear();
}

/// Tiles of the grid are those of boxes; a dimension of single rows gets a name of its own.
void BoxMaker::changeGrid() {
  std::map<std::string, std::string> named;
  for (std::size_t k = 0; k < boxes.sides.size(); ++k) {
    const BoxSide &side = boxes.sides[k];
    const RowNames &own = rows[side.row];
    const auto at = std::ranges::find_if(kernel.grid, [&](const PointDim &d) { return d.variable == own.grid; });
    if (at == kernel.grid.end() || at->first.op() != Op::Integer || at->first->integer != 0)
      return refuse("rows begin elsewhere than at 0");
    std::string name = own.grid;
    if (own.point.empty())
      for (name += "_tile"; !kernel.names.insert(name).second;) name += "_";
    named[grid[k]] = name;
    const Expr one = Expr::integer(1);
    *at = {name, Expr::integer(0), simplify(divided(side.count - one, side.rows) + one), at->kind};
  }
  const auto rename = [&](const Expr &e) {
    return e ? substitute(e,
                          [&](const std::string &name) {
                            const auto found = named.find(name);
                            return found == named.end() ? Expr() : Expr::symbol(found->second, Type::Int64);
                          })
             : e;
  };
  for (TileBlock *nodes : {&kernel.before, &kernel.loop->full, &kernel.loop->masked, &kernel.after})
    *nodes = rewriteExprs(*nodes, rename);
  kernel.loop->limit = rename(kernel.loop->limit);
}

std::optional<Refusal> BoxMaker::run() {
  if (!kernel.runs.empty()) return Refusal{"data say where rows are", {}};
  for (const PointDim &d : kernel.grid)
    if (d.variable == rows[boxes.tiled].grid) isOneTile = constant(simplify(d.limit)) == 1;
  for (std::size_t k = 0; k < boxes.sides.size(); ++k) grid.push_back("tile along side " + std::to_string(k));
  ChunkLoop &loop = *kernel.loop;
  findKeys(loop.full);
  findKeys(loop.masked);
  kernel.before = block(kernel.before);
  loop.full = block(loop.full);
  guarded.clear();
  loop.masked = block(loop.masked);
  checkProducts(loop.masked);
  kernel.after = block(kernel.after);
  loop.first = Expr::integer(0);
  loop.step = 1;
  loop.limit = loop.fullFirst = loop.fullLimit = turnsInAll();
  loop.endsFull = true;
  loop.isDense = false;
  dropNames();
  changeGrid();
  loop.fullFirst = loop.fullLimit = loop.limit;
  return refusal;
}

} // namespace

Result<RectangularKernel> inBoxes(RectangularKernel kernel, const Boxes &boxes, const std::vector<RowNames> &rows,
                                  const std::vector<TileArray> &arrays) {
  if (!kernel.loop || rows[boxes.tiled].point.empty()) return Refusal{"no loop over chunks", {}};
  for (const BoxSide &side : boxes.sides)
    if (rows[side.row].point.empty() != (side.row != boxes.tiled)) return Refusal{"several rows come in tiles", {}};
  if (auto refusal = BoxMaker(kernel, boxes, rows, arrays).run()) return *refusal;
  return kernel;
}

} // namespace polymend
