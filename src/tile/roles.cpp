// Copies from the program's arrays become channels filled by a role of their own. In the computing role, contractions
// of two copied tiles come first in a chunk (stage 0); those that need this chunk's element-wise results (stage 1) are
// issued together with the next chunk's stage 0, so that matrix units and element-wise work overlap: a loop skewed by
// one, with its first stage 0 and its last stage 1 outside.
#include "tile/matrix.h"

#include <algorithm>
#include <set>

namespace polymend {
namespace {

/// Tiles that a node touches.
struct Touched {
  std::set<std::string> reads, writes;
};

void note(const Expr &e, std::set<std::string> &reads) {
  visit(e, [&](const Expr &node) {
    if (node.op() == Op::Read) reads.insert(node->name);
  });
}

Touched touchedBy(const TilePoints &points) {
  Touched touched;
  for (const TileAssign &assign : points.body) {
    touched.writes.insert(assign.target.array);
    if (assign.update != Update::Set || assign.where) touched.reads.insert(assign.target.array);
    note(assign.value, touched.reads);
    note(assign.where, touched.reads);
  }
  return touched;
}

bool meet(const std::set<std::string> &a, const std::set<std::string> &b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string &name) { return b.count(name) > 0; });
}

bool conflict(const Touched &a, const Touched &b) {
  return meet(a.writes, b.reads) || meet(a.reads, b.writes) || meet(a.writes, b.writes);
}

std::int64_t constant(const Expr &e) { return e && e.op() == Op::Integer ? e->integer : 0; }

/// The block with a loop variable replaced by a value.
TileBlock at(const TileBlock &block, const std::string &variable, const Expr &value) {
  const auto move = [&](const Expr &e) {
    if (!e) return e;
    return substitute(e, [&](const std::string &name) { return name == variable ? value : Expr(); });
  };
  const auto moved = [&](TilePoints points) {
    for (TileAssign &assign : points.body) {
      for (Expr &subscript : assign.target.subscripts) subscript = simplify(move(subscript));
      assign.value = move(assign.value);
      assign.where = assign.where ? simplify(move(assign.where)) : assign.where;
    }
    return points;
  };
  TileBlock result;
  for (const TileNode &node : block) {
    if (const TilePoints *points = regionOf(node))
      result.push_back(std::make_shared<const TilePoints>(moved(*points)));
    else if (const auto *async = std::get_if<std::shared_ptr<const TileAsync>>(&node))
      result.push_back(
          std::make_shared<const TileAsync>(TileAsync{(*async)->kind, (*async)->name, moved((*async)->points)}));
    else
      result.push_back(node);
  }
  return result;
}

/// A chunk's regions by what they are.
struct Chunk {
  TileBlock copies;             // in order
  TileBlock first, early, late; // element-wise: before stage 0, between the stages, after stage 1
  TileBlock stage0, stage1;     // contractions
  std::vector<std::string> channels0, channels1;
};

class RoleMaker {
public:
  RoleMaker(const BoxedKernel &kernel, const MatrixUnits &target) : boxed(kernel), units(target) {}
  Result<Kernel> make();

private:
  [[nodiscard]] const TileArray *tileOf(const std::string &name) const;
  [[nodiscard]] bool isCopy(const TilePoints &points) const;
  std::optional<Refusal> findChannels();
  bool bringForward(const Touched &product, Chunk &chunk) const;
  std::optional<Refusal> split(const TileBlock &body, Chunk &chunk);
  std::optional<Refusal> sizeRings();
  std::optional<Refusal> checkFragments();
  [[nodiscard]] static TileNode async(TileAsync::Kind kind, const std::string &name, const TileNode &node);
  [[nodiscard]] static TileBlock issue(const TileBlock &contractions, const std::vector<std::string> &channels);
  [[nodiscard]] static TileBlock finish(const std::vector<std::string> &channels, const std::string &name);
  [[nodiscard]] TileBlock copiesOf(const Chunk &chunk, const std::vector<std::string> &channels, const Expr &at) const;
  [[nodiscard]] TileBlock head(const Chunk &chunk) const;
  [[nodiscard]] TileBlock steady(const Chunk &chunk) const;
  [[nodiscard]] TileBlock releases() const;
  /// Contractions go on while their threads do.
  [[nodiscard]] bool runsBeside() const { return units.instructions == MatrixInstructions::Wgmma; }
  [[nodiscard]] TileBlock loops(const TileBlock &headBody, const TileBlock &full, const TileBlock &masked,
                                const TileBlock &tail) const;
  [[nodiscard]] TileBlock loader() const;
  [[nodiscard]] TileBlock computer() const;
  [[nodiscard]] static TicketOrder inSequence(const std::vector<PointDim> &grid);
  void orderGrid(Kernel &kernel) const;

  const BoxedKernel &boxed;
  const MatrixUnits &units;
  std::vector<TileArray> tiles;
  std::set<std::string> channels, hoisted;
  Chunk full, masked;
};

const TileArray *RoleMaker::tileOf(const std::string &name) const {
  const auto at = std::find_if(tiles.begin(), tiles.end(), [&](const TileArray &t) { return t.name == name; });
  return at == tiles.end() ? nullptr : &*at;
}

/// A whole tile of 16-bit elements taken from one of the program's arrays.
bool RoleMaker::isCopy(const TilePoints &points) const {
  if (points.body.size() != 1 || points.dims.size() != 2) return false;
  const TileAssign &assign = points.body[0];
  const bool bare = assign.update == Update::Set && !assign.where && assign.value.op() == Op::Read &&
                    !tileOf(assign.value->name) && isNarrow(assign.value.type());
  return bare && tileOf(assign.target.array) != nullptr;
}

std::optional<Refusal> RoleMaker::findChannels() {
  std::set<std::string> other;
  std::string unreached;
  const auto look = [&](const TileBlock &block, bool before) {
    for (const TileNode &node : block) {
      const TilePoints *points = regionOf(node);
      if (!points) continue;
      if (isCopy(*points)) {
        if (copiedAt(*points, boxed) % units.copiedAt != 0) unreached = points->body[0].value->name;
        channels.insert(points->body[0].target.array);
        if (before) hoisted.insert(points->body[0].target.array);
        continue;
      }
      const Touched touched = touchedBy(*points);
      if (!contractionOf(*points, tiles)) other.insert(touched.reads.begin(), touched.reads.end());
      other.insert(touched.writes.begin(), touched.writes.end());
    }
  };
  look(boxed.before, true);
  look(boxed.loop->full, false);
  look(boxed.loop->masked, false);
  look(boxed.after, false);
  if (!unreached.empty())
    return Refusal{"columns copied from '" + unreached + "' begin at no multiple of " + std::to_string(units.copiedAt),
                   {}};
  for (const std::string &name : channels)
    if (other.count(name))
      return Refusal{
          "'" + name + "' has uses that are no products of two 16-bit tiles (--fp=approx rounds a wider factor)", {}};
  for (TileArray &tile : tiles) {
    tile.space = channels.count(tile.name) ? Space::Shared : Space::Fragment;
  }
  return std::nullopt;
}

TileNode RoleMaker::async(TileAsync::Kind kind, const std::string &name, const TileNode &node) {
  return std::make_shared<const TileAsync>(TileAsync{kind, name, *regionOf(node)});
}

/// Has the regions that a product of copied tiles needs run before all such products; false: one of them waits itself.
bool RoleMaker::bringForward(const Touched &product, Chunk &chunk) const {
  Touched passed; // what runs between the products so far and a region
  for (const TileNode &node : chunk.stage0) {
    const Touched touched = touchedBy(std::get<std::shared_ptr<const TileAsync>>(node)->points);
    passed.reads.insert(touched.reads.begin(), touched.reads.end());
    passed.writes.insert(touched.writes.begin(), touched.writes.end());
  }
  TileBlock stays;
  for (const TileNode &node : chunk.early) {
    const TilePoints *points = regionOf(node);
    const Touched touched = points ? touchedBy(*points) : Touched();
    if (points && conflict(touched, product)) {
      if (conflict(touched, passed)) return false;
      chunk.first.push_back(node);
      continue;
    }
    stays.push_back(node);
    passed.reads.insert(touched.reads.begin(), touched.reads.end());
    passed.writes.insert(touched.writes.begin(), touched.writes.end());
  }
  chunk.early = stays;
  return true;
}

std::optional<Refusal> RoleMaker::split(const TileBlock &body, Chunk &chunk) {
  std::set<std::string> written; // fragments made in this chunk after a contraction
  Touched late;
  bool begun = false;
  TileBlock remarks;
  for (const TileNode &node : body) {
    const TilePoints *points = regionOf(node);
    if (!points) {
      if (!std::holds_alternative<TileNote>(node)) return Refusal{"a chunk holds more than boxes", {}};
      remarks.push_back(node);
      continue;
    }
    if (isCopy(*points)) {
      chunk.copies.push_back(async(TileAsync::Kind::Copy, "", node));
      continue;
    }
    const Touched touched = touchedBy(*points);
    if (const auto contraction = contractionOf(*points, tiles)) {
      if (!channels.count(contraction->b.array)) return Refusal{"'" + contraction->b.array + "' is no copied tile", {}};
      const bool second = !channels.count(contraction->a.array);
      if (second && hoisted.count(contraction->b.array))
        return Refusal{"'" + contraction->b.array + "' is shared by all chunks", {}};
      if (second && !written.count(contraction->a.array))
        return Refusal{"'" + contraction->a.array + "' is made before the loop", {}};
      std::vector<std::string> &used = second ? chunk.channels1 : chunk.channels0;
      for (const std::string &name : {contraction->a.array, contraction->b.array})
        if (channels.count(name) && !hoisted.count(name) && std::find(used.begin(), used.end(), name) == used.end())
          used.push_back(name);
      if (!second && !chunk.stage1.empty()) return Refusal{"a product of copied tiles follows one that waits", {}};
      if (!second && !bringForward(touched, chunk))
        return Refusal{"a product of copied tiles needs what waits for another", {}};
      (second ? chunk.stage1 : chunk.stage0)
          .push_back(async(TileAsync::Kind::Contract, second ? "second" : "first", node));
      begun = true;
      if (second) {
        late.reads.insert(touched.reads.begin(), touched.reads.end());
        late.writes.insert(touched.writes.begin(), touched.writes.end());
      }
      continue;
    }
    written.insert(touched.writes.begin(), touched.writes.end());
    TileBlock &where = begun ? chunk.early : chunk.first;
    append(where, remarks);
    remarks.clear();
    where.push_back(node);
  }
  // What the matrix units may still be reading or adding to must wait for them.
  TileBlock early;
  TileBlock held;
  for (const TileNode &node : chunk.early) {
    const TilePoints *points = regionOf(node);
    if (!points) {
      held.push_back(node);
      continue;
    }
    const Touched touched = touchedBy(*points);
    const bool waits = conflict(touched, late);
    append(waits ? chunk.late : early, held);
    held.clear();
    (waits ? chunk.late : early).push_back(node);
    if (!waits) continue;
    late.reads.insert(touched.reads.begin(), touched.reads.end());
    late.writes.insert(touched.writes.begin(), touched.writes.end());
  }
  chunk.early = early;
  if (chunk.stage0.empty()) return Refusal{"no product of two copied tiles", {}};
  return std::nullopt;
}

/// As many slots as shared memory has room for, at most four; then two for what is copied once for a grid point, so
/// that the next one's chunks need not wait for this one's end.
std::optional<Refusal> RoleMaker::sizeRings() {
  constexpr int deepest = 4;
  std::int64_t once = 0, each = 0;
  for (const TileArray &tile : tiles) {
    if (!channels.count(tile.name)) continue;
    const std::int64_t bytes = 2 * constant(tile.extents[0]) * ((constant(tile.extents[1]) + 63) / 64 * 64);
    (hoisted.count(tile.name) ? once : each) += bytes;
  }
  const std::int64_t room = each > 0 ? (units.sharedBytes - once) / each : 0;
  if (room < 2) return Refusal{"the tiles do not fit shared memory", {}};
  // A second slot for what all chunks share hides its copy behind the grid point before; three slots are enough else.
  const bool ahead = once > 0 && (units.sharedBytes - 2 * once) / each >= std::min<std::int64_t>(room, 3);
  const std::int64_t slots = ahead ? (units.sharedBytes - 2 * once) / each : room;
  for (TileArray &tile : tiles)
    if (channels.count(tile.name))
      tile.ring = hoisted.count(tile.name) ? (ahead ? 2 : 1) : static_cast<int>(std::min<std::int64_t>(slots, deepest));
  return std::nullopt;
}

/// All fragments share their rows, and have at most one more dimension.
std::optional<Refusal> RoleMaker::checkFragments() {
  std::int64_t rows = 0;
  for (const TileArray &tile : tiles) {
    if (tile.space != Space::Fragment) continue;
    if (tile.extents.empty() || tile.extents.size() > 2)
      return Refusal{"'" + tile.name + "' is neither a row of values nor a matrix", {}};
    const std::int64_t own = constant(tile.extents[0]);
    if (rows == 0) rows = own;
    if (own != rows || rows % groupRows != 0)
      return Refusal{"the rows of '" + tile.name + "' cannot be shared out", {}};
    if (tile.extents.size() == 2 && constant(tile.extents[1]) % 16 != 0)
      return Refusal{"the columns of '" + tile.name + "' do not fill matrix units", {}};
  }
  return rows == 0 ? std::optional(Refusal{"no rows", {}}) : std::nullopt;
}

TileBlock RoleMaker::issue(const TileBlock &contractions, const std::vector<std::string> &used) {
  TileBlock block;
  for (const std::string &name : used) block.emplace_back(TileSync{TileSync::Kind::Get, name});
  append(block, contractions);
  return block;
}

TileBlock RoleMaker::finish(const std::vector<std::string> &used, const std::string &name) {
  TileBlock block{TileSync{TileSync::Kind::Await, name}};
  for (const std::string &channel : used) block.emplace_back(TileSync{TileSync::Kind::Release, channel});
  return block;
}

TileBlock RoleMaker::head(const Chunk &chunk) const {
  TileBlock block = chunk.first;
  append(block, issue(chunk.stage0, chunk.channels0));
  append(block, finish(chunk.channels0, "first"));
  append(block, chunk.early);
  append(block, chunk.late);
  return block;
}

TileBlock RoleMaker::steady(const Chunk &chunk) const {
  if (chunk.stage1.empty()) return head(chunk);
  TileBlock block = chunk.first;
  if (!runsBeside()) { // the operands of stage 1 make room for the results of stage 0
    append(block, issue(chunk.stage1, chunk.channels1));
    append(block, finish(chunk.channels1, "second"));
    append(block, issue(chunk.stage0, chunk.channels0));
    append(block, finish(chunk.channels0, "first"));
    append(block, chunk.early);
    append(block, chunk.late);
    return block;
  }
  append(block, issue(chunk.stage0, chunk.channels0));
  append(block, issue(chunk.stage1, chunk.channels1));
  append(block, finish(chunk.channels0, "first"));
  append(block, chunk.early);
  append(block, finish(chunk.channels1, "second"));
  append(block, chunk.late);
  return block;
}

/// The copies of some channels for the chunk that begins at `at`.
TileBlock RoleMaker::copiesOf(const Chunk &chunk, const std::vector<std::string> &wanted, const Expr &at) const {
  TileBlock block;
  const auto move = [&](const Expr &e) {
    return simplify(substitute(e, [&](const std::string &name) { return name == boxed.loop->variable ? at : Expr(); }));
  };
  for (const TileNode &node : chunk.copies) {
    TileAsync copy = **std::get_if<std::shared_ptr<const TileAsync>>(&node);
    TileAssign &assign = copy.points.body[0];
    if (std::find(wanted.begin(), wanted.end(), assign.target.array) == wanted.end()) continue;
    ExprNode read = *assign.value;
    for (Expr &subscript : read.args) subscript = move(subscript);
    assign.value = Expr{read};
    block.push_back(std::make_shared<const TileAsync>(copy));
  }
  return block;
}

/// What all chunks share goes back as soon as the last stage 0 is done, so that the next grid point's can come.
TileBlock RoleMaker::releases() const {
  TileBlock block;
  for (const std::string &name : hoisted) block.emplace_back(TileSync{TileSync::Kind::Release, name});
  return block;
}

/// The first chunk, the others by whether they are full, and what follows the last; nothing where there is no chunk.
TileBlock RoleMaker::loops(const TileBlock &headBody, const TileBlock &fullBody, const TileBlock &maskedBody,
                           const TileBlock &tail) const {
  const ChunkLoop &loop = *boxed.loop;
  const Expr second = simplify(loop.first + Expr::integer(loop.step));
  const auto chunks = [&](const Expr &from, const Expr &to, const TileBlock &body) {
    return std::make_shared<const TileLoop>(TileLoop{loop.variable, from, to, loop.step, TileLoop::Kind::Serial, body});
  };
  const auto atLeast = [&](const Expr &value) { return simplify(Expr::make(Op::Max, Type::Int64, {value, second})); };
  TileBlock block = at(headBody, loop.variable, loop.first);
  if (!equal(loop.fullFirst, loop.first)) block.push_back(chunks(second, loop.fullFirst, maskedBody));
  block.push_back(chunks(atLeast(loop.fullFirst), loop.fullLimit, fullBody));
  block.push_back(chunks(atLeast(loop.fullLimit), loop.limit, maskedBody));
  const TileBlock released = releases();
  append(block, released);
  append(block, tail);
  return {
      std::make_shared<const TileBranch>(TileBranch{Expr::make(Op::Lt, {loop.first, loop.limit}), block, released})};
}

TileBlock RoleMaker::loader() const {
  const ChunkLoop &loop = *boxed.loop;
  const Expr here = Expr::symbol(loop.variable, Type::Int64);
  TileBlock block;
  for (const TileNode &node : boxed.before)
    if (const TilePoints *points = regionOf(node); points && isCopy(*points))
      block.push_back(async(TileAsync::Kind::Copy, "", node));
  const TileBlock first = copiesOf(full, full.channels0, here);
  TileBlock each = first;
  append(each, copiesOf(full, full.channels1, simplify(here - Expr::integer(loop.step))));
  const Expr chunks =
      Expr::make(Op::FloorDiv, Type::Int64, {loop.limit - Expr::integer(1) - loop.first, Expr::integer(loop.step)});
  TileBlock body = copiesOf(full, full.channels0, loop.first);
  body.push_back(
      std::make_shared<const TileLoop>(TileLoop{loop.variable, simplify(loop.first + Expr::integer(loop.step)),
                                                loop.limit, loop.step, TileLoop::Kind::Serial, each}));
  append(body, copiesOf(full, full.channels1, simplify(loop.first + chunks * Expr::integer(loop.step))));
  block.push_back(
      std::make_shared<const TileBranch>(TileBranch{Expr::make(Op::Lt, {loop.first, loop.limit}), body, {}}));
  return block;
}

TileBlock RoleMaker::computer() const {
  TileBlock block;
  for (const TileNode &node : boxed.before) {
    const TilePoints *points = regionOf(node);
    if (!points || !isCopy(*points)) block.push_back(node);
  }
  for (const std::string &name : hoisted) block.emplace_back(TileSync{TileSync::Kind::Get, name});
  TileBlock tail;
  if (!full.stage1.empty()) {
    tail = issue(full.stage1, full.channels1);
    append(tail, finish(full.channels1, "second"));
  }
  append(block, loops(head(masked), steady(full), steady(masked), tail));
  append(block, boxed.after);
  return block;
}

/// Grid points as they are numbered, the last dimension first.
TicketOrder RoleMaker::inSequence(const std::vector<PointDim> &grid) {
  TicketOrder order;
  order.ticket = "ticket";
  order.count = Expr::integer(1);
  order.at.resize(grid.size());
  Expr rest = Expr::symbol(order.ticket, Type::Int64);
  for (std::size_t i = grid.size(); i-- > 0;) {
    const Expr size = simplify(grid[i].limit - grid[i].first);
    order.count = simplify(order.count * size);
    order.at[i] = simplify(grid[i].first + (i > 0 ? Expr::make(Op::FloorMod, Type::Int64, {rest, size}) : rest));
    rest = Expr::make(Op::FloorDiv, Type::Int64, {rest, size});
  }
  return order;
}

/// Tiles of the divided rows in turn for a group of the other dimensions, the longest first: neighbours in time read
/// the same chunks, as long as those of a group fit the cache.
void RoleMaker::orderGrid(Kernel &kernel) const {
  constexpr std::int64_t cacheBytes = std::int64_t{32} << 20;
  const auto extent = [](const PointDim &d) { return simplify(d.limit - d.first); };
  const auto row = std::find_if(kernel.grid.begin(), kernel.grid.end(),
                                [&](const PointDim &d) { return d.variable == boxed.rowTile; });
  if (row == kernel.grid.end()) {
    kernel.order = inSequence(kernel.grid);
    return;
  }
  Expr others = Expr::integer(1);
  for (const PointDim &d : kernel.grid)
    if (&d != &*row) others = simplify(others * extent(d));
  const Expr rows = extent(*row), one = Expr::integer(1);
  const Expr last = simplify(row->limit - one);
  const auto atRow = [&](const Expr &e, const Expr &value) {
    return simplify(substitute(e, [&](const std::string &name) { return name == row->variable ? value : Expr(); }));
  };
  std::int64_t chunkBytes = 0;
  for (const TileArray &tile : tiles)
    if (channels.count(tile.name) && !hoisted.count(tile.name))
      chunkBytes += 2 * constant(tile.extents[0]) * constant(tile.extents[1]);
  const Expr length = atRow(boxed.loop->limit, last);
  const Expr bytes = Expr::make(
      Op::Max, Type::Int64, {length * Expr::integer(std::max<std::int64_t>(1, chunkBytes / boxed.loop->step)), one});
  const auto divided = [](const Expr &a, const Expr &b) { return Expr::make(Op::FloorDiv, Type::Int64, {a, b}); };
  const auto minimum = [](const Expr &a, const Expr &b) { return Expr::make(Op::Min, Type::Int64, {a, b}); };
  const auto maximum = [](const Expr &a, const Expr &b) { return Expr::make(Op::Max, Type::Int64, {a, b}); };
  TicketOrder order;
  std::set<std::string> names = boxed.names;
  const auto unique = [&](std::string wanted) {
    while (!names.insert(wanted).second) wanted += "_";
    return wanted;
  };
  order.ticket = unique("ticket");
  const auto let = [&](const std::string &wanted, const Expr &value) {
    const std::string name = unique(wanted);
    order.lets.emplace_back(name, simplify(value));
    return Expr::symbol(name, Type::Int64);
  };
  const Expr ticket = Expr::symbol(order.ticket, Type::Int64);
  const Expr tiles1 = let("row_tiles", rows);
  const Expr group = let("group", maximum(minimum(divided(Expr::integer(cacheBytes), bytes), others), one));
  const Expr number = let("group_number", divided(ticket, group * tiles1));
  const Expr within = let("within_group", ticket - number * group * tiles1);
  const Expr width = let("group_width", minimum(group, others - number * group));
  const Expr step = let("row_number", divided(within, width));
  const Expr other = let("other", number * group + (within - step * width));
  order.count = simplify(others * rows);
  const bool longer = !equal(atRow(boxed.loop->limit, one), atRow(boxed.loop->limit, Expr::integer(0)));
  Expr rest = other;
  order.at.resize(kernel.grid.size());
  for (std::size_t i = kernel.grid.size(); i-- > 0;) {
    const PointDim &d = kernel.grid[i];
    if (&d == &*row) {
      order.at[i] = simplify(longer ? last - step : d.first + step);
      continue;
    }
    const bool lastOther = std::none_of(kernel.grid.begin(), kernel.grid.begin() + static_cast<std::ptrdiff_t>(i),
                                        [&](const PointDim &before) { return &before != &*row; });
    const Expr size = extent(d);
    order.at[i] = simplify(d.first + (lastOther ? rest : Expr::make(Op::FloorMod, Type::Int64, {rest, size})));
    rest = divided(rest, size);
  }
  kernel.order = order;
}

Result<Kernel> RoleMaker::make() {
  tiles = boxed.tiles;
  if (!boxed.loop) return Refusal{"no loop over chunks", {}};
  if (auto refusal = findChannels()) return *refusal;
  if (auto refusal = split(boxed.loop->full, full)) return *refusal;
  if (auto refusal = split(boxed.loop->masked, masked)) return *refusal;
  if (auto refusal = checkFragments()) return *refusal;
  if (auto refusal = sizeRings()) return *refusal;
  Kernel kernel;
  kernel.name = boxed.name;
  kernel.grid = boxed.grid;
  kernel.lets = boxed.lets;
  kernel.tiles = tiles;
  std::int64_t rows = 0;
  for (const TileArray &tile : tiles)
    if (tile.space == Space::Fragment) rows = constant(tile.extents[0]);
  const int groups = static_cast<int>(rows / groupRows);
  const bool handsOver = units.instructions == MatrixInstructions::Wgmma; // registers
  kernel.roles.push_back({"load", 1, !handsOver ? 0 : groups == 3 ? 32 : 56, loader()});
  kernel.roles.push_back({"compute", groups, !handsOver ? 0 : groups == 3 ? 160 : groups == 2 ? 224 : 256, computer()});
  orderGrid(kernel);
  return kernel;
}

} // namespace

Result<Kernel> withRoles(const BoxedKernel &boxed, const MatrixUnits &units) { return RoleMaker(boxed, units).make(); }

} // namespace polymend
