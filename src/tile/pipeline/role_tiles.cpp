// A tile is a channel where whole copies fill it and only products, and regions that read it element by element in a
// chunk, use it.
#include "role_tiles.h"
#include "tile/filled_rows.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend {
namespace {

/// Where the source has what is about a tile, or about anything where the name is empty.
SourceRange placeIn(const RectangularKernel &kernel, const std::string &tile) {
  TileBlock all = kernel.before;
  if (kernel.loop) append(all, kernel.loop->full);
  append(all, kernel.after);
  return placeOf(all, tile);
}

} // namespace

const TileArray *RoleTiles::tileOf(const std::string &name) const {
  const auto at = std::find_if(tiles.begin(), tiles.end(), [&](const TileArray &t) { return t.name == name; });
  return at == tiles.end() ? nullptr : &*at;
}

bool RoleTiles::isCopy(const TilePoints &points) const {
  if (points.body.size() != 1 || points.dims.size() != 2) return false;
  const TileAssign &assign = points.body[0];
  const bool bare = assign.update == Update::Set && !assign.where && assign.value.op() == Op::Read &&
                    !tileOf(assign.value->name) && multipliedBytes(assign.value.type()) == units.elementBytes;
  return bare && tileOf(assign.target.array) != nullptr;
}

bool RoleTiles::endsAtData(const Expr &value) const {
  std::set<std::string> used = symbols(value);
  const auto &lets = rectangular.lets;
  return std::any_of(lets.rbegin(), lets.rend(), [&](const auto &let) {
    if (!used.contains(let.first)) return false;
    used.merge(symbols(let.second));
    return reads(let.second);
  });
}

bool RoleTiles::isGathered(const TileAssign &copy) const {
  return polymend::isGathered(copy, {copy.target.subscripts[0]->name}, {});
}

TileAssign RoleTiles::inRuns(const TileAssign &copy) const {
  const std::int64_t rows = constant(tileOf(copy.target.array)->extents[0]);
  ExprNode read = *copy.value;
  for (Expr &subscript : read.args) subscript = withRowsApart(subscript, copy.target.subscripts[0], rows, rectangular);
  return {copy.target, copy.update, Expr{read}, copy.where};
}

/// Is which row of its array a row of the tile is told by where the loop stands there alone?
bool RoleTiles::followsLoop(const TileAssign &copy) const {
  const std::string &row = copy.target.subscripts[0]->name, &chunk = rectangular.loop->variable;
  const Expr before = Expr::symbol("place in the loop", Type::Int64) - Expr::symbol(chunk, Type::Int64);
  return std::ranges::none_of(copy.value->args, [&](const Expr &subscript) {
    const Expr placed = substitute(subscript, [&](const std::string &name) { return name == row ? before : Expr(); });
    const Expr simple = rewrite(placed, [](const Expr &e) { return simplify(e); });
    return symbols(simple).contains(chunk);
  });
}

/// Why rows that data choose cannot be copied; empty: they can.
std::string RoleTiles::whyNotGathered(const TileAssign &copy) const {
  if (!isAsynchronous()) return " are copied by an engine alone";
  if (!rectangular.loop->isDense) return " are not read at every turn of a loop from zero on";
  if (!followsLoop(copy)) return " do not follow the loop that reads them";
  const std::int64_t rows = constant(tileOf(copy.target.array)->extents[0]);
  return rowsInRun(inRuns(copy), rows) == 0 ? " do not lie in runs of eight" : "";
}

std::optional<Refusal> RoleTiles::checkGathered() const {
  std::optional<Refusal> refusal;
  for (const TileBlock *block : {&rectangular.loop->full, &rectangular.loop->masked})
    each<TilePoints>(*block, [&](const TilePoints &points) {
      if (!isCopy(points) || !isGathered(points.body[0])) return;
      const std::string why = whyNotGathered(points.body[0]);
      const std::string &array = points.body[0].value->name;
      if (!why.empty())
        refusal = Refusal{"rows of '" + array + "' that data choose" + why, placeOf(points.body[0].value)};
    });
  return refusal;
}

std::optional<Contraction> RoleTiles::productOf(const TilePoints &points) const {
  auto contraction = contractionOf(points, tiles);
  if (!contraction) return contraction;
  const Type type = tileOf(contraction->a.array)->type;
  const TileArray *sum = tileOf(contraction->target.array);
  const bool taken =
      multipliedBytes(type) == units.elementBytes && sum && sum->type == (isNarrow(type) ? Type::Float32 : type);
  return taken ? contraction : std::nullopt;
}

/// Does the region, over rows and columns, read `name` at its own elements only?
bool RoleTiles::readsElements(const TilePoints &points, const std::string &name) const {
  if (points.dims.size() != 2) return false;
  bool own = true;
  const auto look = [&](const Expr &e) {
    if (e.op() != Op::Read || e->name != name) return;
    const auto isDim = [&](const Expr &at, std::size_t d) {
      return at.op() == Op::Symbol && at->name == points.dims[d].variable;
    };
    const auto &at = e->args;
    own = own && at.size() == 2 && ((isDim(at[0], 0) && isDim(at[1], 1)) || (isDim(at[0], 1) && isDim(at[1], 0)));
  };
  for (const TileAssign &assign : points.body) {
    visit(assign.value, look);
    std::set<std::string> other;
    if (assign.where) noteReads(assign.where, other);
    for (const Expr &subscript : assign.target.subscripts) noteReads(subscript, other);
    own = own && !other.count(name) && assign.target.array != name;
  }
  return own;
}

std::optional<Refusal> RoleTiles::findChannels() {
  std::set<std::string> other;
  std::string unreached;
  const auto look = [&](const TileBlock &block, bool before, bool chunk) {
    for (const TileNode &node : block) {
      const TilePoints *points = as<TilePoints>(node);
      if (!points) continue;
      if (isCopy(*points)) {
        if (copiedAt(*points, rectangular) * units.elementBytes % units.copiedAt != 0)
          unreached = points->body[0].value->name;
        channels.insert(points->body[0].target.array);
        if (before) hoisted.insert(points->body[0].target.array);
        continue;
      }
      const Touched touched = touchedBy(*points);
      if (!productOf(*points))
        for (const std::string &name : touched.reads)
          if (!chunk || !readsElements(*points, name)) other.insert(name);
      other.insert(touched.writes.begin(), touched.writes.end());
    }
  };
  look(rectangular.before, true, false);
  look(rectangular.loop->full, false, true);
  look(rectangular.loop->masked, false, true);
  look(rectangular.after, false, false);
  if (!unreached.empty())
    return Refusal{"columns copied from '" + unreached + "' begin at no multiple of " +
                       std::to_string(units.copiedAt / units.elementBytes),
                   placeIn(rectangular, unreached)};
  for (const std::string &name : channels)
    if (other.count(name))
      return Refusal{units.elementBytes == 2 ? "'" + name + "' is used elsewhere than in products of two " +
                                                   "16-bit matrices (--fp=approx rounds a wider factor)"
                                             : "'" + name + "' is used elsewhere than in products of two matrices",
                     placeIn(rectangular, name)};
  for (TileArray &tile : tiles) {
    tile.space = channels.count(tile.name) ? Space::Shared : Space::Fragment;
  }
  return std::nullopt;
}

std::optional<Refusal> RoleTiles::sizeRings() {
  constexpr int deepest = 4;
  std::int64_t once = 0, each = 0;
  for (const TileArray &tile : tiles) {
    if (!channels.count(tile.name)) continue;
    const std::int64_t bytes = slotBytes(constant(tile.extents[0]), constant(tile.extents[1]), units.elementBytes);
    (hoisted.count(tile.name) ? once : each) += bytes;
  }
  const std::int64_t room = each > 0 ? (units.sharedBytes - once) / each : 0;
  if (room < 2) return Refusal{"the tiles do not fit shared memory", placeIn(rectangular, "")};
  // A second slot for what all chunks share hides its copy behind the grid point before: worth a third one of chunks.
  const bool ahead = once > 0 && (units.sharedBytes - 2 * once) / each >= 2;
  const std::int64_t slots = ahead ? (units.sharedBytes - 2 * once) / each : room;
  for (TileArray &tile : tiles)
    if (channels.count(tile.name))
      tile.ring = hoisted.count(tile.name) ? (ahead ? 2 : 1) : static_cast<int>(std::min<std::int64_t>(slots, deepest));
  return std::nullopt;
}

std::optional<Refusal> RoleTiles::checkTypes() const {
  std::optional<Refusal> refusal;
  const auto look = [&](const Expr &e) {
    const bool narrow = e.type() == Type::Float16 || e.type() == Type::BFloat16;
    const bool held = e.op() == Op::Read || e.op() == Op::Cast || e.op() == Op::Select || e.op() == Op::Real;
    if (narrow && !held) refusal = Refusal{"values are computed in 16 bits", placeOf(e)};
  };
  for (const TileBlock *block :
       {&rectangular.before, &rectangular.loop->full, &rectangular.loop->masked, &rectangular.after})
    for (const TileNode &node : *block)
      if (const TilePoints *points = as<TilePoints>(node))
        for (const TileAssign &assign : points->body) visit(assign.value, look);
  return refusal;
}

std::optional<Refusal> RoleTiles::checkFragments() const {
  std::int64_t rows = 0;
  for (const TileArray &tile : tiles) {
    if (tile.space != Space::Fragment) continue;
    if (tile.extents.empty() || tile.extents.size() > 2)
      return Refusal{"'" + tile.name + "' is neither a row of values nor a matrix", placeIn(rectangular, tile.name)};
    const std::int64_t own = constant(tile.extents[0]);
    if (rows == 0) rows = own;
    if (own != rows || rows % groupRows(units.atom) != 0)
      return Refusal{"the rows of '" + tile.name + "' cannot be shared out", placeIn(rectangular, tile.name)};
    if (tile.extents.size() == 2 && constant(tile.extents[1]) % 16 != 0)
      return Refusal{"the columns of '" + tile.name + "' do not fill matrix units", placeIn(rectangular, tile.name)};
  }
  return rows == 0 ? std::optional(Refusal{"no rows", placeIn(rectangular, "")}) : std::nullopt;
}

} // namespace polymend
