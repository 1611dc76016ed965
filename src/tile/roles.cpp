// Copies from the program's arrays become channels filled by a role of their own. In the computing role, contractions
// of two copied tiles come first in a chunk (stage 0); those that need this chunk's element-wise results (stage 1) are
// issued together with the next chunk's stage 0, so that matrix units and element-wise work overlap: a loop skewed by
// one, with its first stage 0 and its last stage 1 outside. Where there is no stage 0, the next chunk's element-wise
// results overlap with stage 1, and take their place in its operand when it is done. Where threads issue products one
// after the other anyway, and stage 1's operand stands where stage 0 begins, stages follow in order within a chunk.
// Element-wise regions hold what they read of a channel from the first of them to the last.
#include "tile/matrix.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
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
  std::vector<std::string> read; // channels that element-wise regions read, and stage 0 perhaps
};

class RoleMaker {
public:
  RoleMaker(const BoxedKernel &kernel, const MatrixUnits &target) : boxed(kernel), units(target) {}
  Result<Kernel> make();

private:
  [[nodiscard]] const TileArray *tileOf(const std::string &name) const;
  [[nodiscard]] bool isCopy(const TilePoints &points) const;
  [[nodiscard]] std::optional<Contraction> productOf(const TilePoints &points) const;
  std::optional<Refusal> findChannels();
  bool bringForward(const Touched &product, Chunk &chunk) const;
  [[nodiscard]] bool readsElements(const TilePoints &points, const std::string &name) const;
  std::optional<Refusal> sortReads(const TileBlock &body, Chunk &chunk) const;
  void computeAhead(Chunk &chunk);
  [[nodiscard]] TileBlock holding(const TileBlock &body, const Chunk &chunk) const;
  std::optional<Refusal> split(const TileBlock &body, Chunk &chunk);
  std::optional<Refusal> sizeRings();
  std::optional<Refusal> checkFragments();
  [[nodiscard]] std::optional<Refusal> checkTypes() const;
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
  [[nodiscard]] std::optional<std::int64_t> sharing(const std::string &variable) const;
  void orderGrid(Kernel &kernel) const;

  const BoxedKernel &boxed;
  const MatrixUnits &units;
  std::vector<TileArray> tiles;
  std::set<std::string> channels, hoisted;
  std::map<std::string, std::string> twins; // of operands that are computed during their last use: where to
  Chunk full, masked;
  bool inTurn = false; // a chunk's stage 1 ends it, where it would be in the way of the next one's beginning
};

const TileArray *RoleMaker::tileOf(const std::string &name) const {
  const auto at = std::find_if(tiles.begin(), tiles.end(), [&](const TileArray &t) { return t.name == name; });
  return at == tiles.end() ? nullptr : &*at;
}

/// A whole tile of the units' elements taken from one of the program's arrays.
bool RoleMaker::isCopy(const TilePoints &points) const {
  if (points.body.size() != 1 || points.dims.size() != 2) return false;
  const TileAssign &assign = points.body[0];
  const bool bare = assign.update == Update::Set && !assign.where && assign.value.op() == Op::Read &&
                    !tileOf(assign.value->name) && multipliedBytes(assign.value.type()) == units.elementBytes;
  return bare && tileOf(assign.target.array) != nullptr;
}

/// The contraction that a region is, of elements that the units multiply into sums as they make them.
std::optional<Contraction> RoleMaker::productOf(const TilePoints &points) const {
  auto contraction = contractionOf(points, tiles);
  if (!contraction) return contraction;
  const Type type = tileOf(contraction->a.array)->type;
  const TileArray *sum = tileOf(contraction->target.array);
  const bool taken =
      multipliedBytes(type) == units.elementBytes && sum && sum->type == (isNarrow(type) ? Type::Float32 : type);
  return taken ? contraction : std::nullopt;
}

/// Does the region, over rows and columns, read `name` at its own elements only?
bool RoleMaker::readsElements(const TilePoints &points, const std::string &name) const {
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
    if (assign.where) note(assign.where, other);
    for (const Expr &subscript : assign.target.subscripts) note(subscript, other);
    own = own && !other.count(name) && assign.target.array != name;
  }
  return own;
}

std::optional<Refusal> RoleMaker::findChannels() {
  std::set<std::string> other;
  std::string unreached;
  const auto look = [&](const TileBlock &block, bool before, bool chunk) {
    for (const TileNode &node : block) {
      const TilePoints *points = regionOf(node);
      if (!points) continue;
      if (isCopy(*points)) {
        if (copiedAt(*points, boxed) * units.elementBytes % units.copiedAt != 0)
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
  look(boxed.before, true, false);
  look(boxed.loop->full, false, true);
  look(boxed.loop->masked, false, true);
  look(boxed.after, false, false);
  if (!unreached.empty())
    return Refusal{"columns copied from '" + unreached + "' begin at no multiple of " +
                       std::to_string(units.copiedAt / units.elementBytes),
                   {}};
  for (const std::string &name : channels)
    if (other.count(name))
      return Refusal{units.elementBytes == 2 ? "'" + name + "' has uses that are no products of two 16-bit tiles " +
                                                   "(--fp=approx rounds a wider factor)"
                                             : "'" + name + "' has uses that are no products of two tiles",
                     {}};
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

/// The channels of this chunk that regions read.
std::optional<Refusal> RoleMaker::sortReads(const TileBlock &body, Chunk &chunk) const {
  for (const TileNode &node : body) {
    const TilePoints *points = regionOf(node);
    if (!points || isCopy(*points) || productOf(*points)) continue;
    for (const std::string &name : touchedBy(*points).reads)
      if (channels.count(name) && !hoisted.count(name) &&
          std::find(chunk.read.begin(), chunk.read.end(), name) == chunk.read.end())
        chunk.read.push_back(name);
  }
  for (const std::string &name : chunk.read) {
    if (std::find(chunk.channels1.begin(), chunk.channels1.end(), name) != chunk.channels1.end())
      return Refusal{"'" + name + "' is read in two stages of the loop", {}};
    std::erase(chunk.channels0, name);
  }
  return std::nullopt;
}

/// An operand of stage 1 that one region sets and nothing else touches is computed beside it and moves to its place
/// afterwards.
void RoleMaker::computeAhead(Chunk &chunk) {
  std::set<std::string> operands;
  for (const TileNode &node : chunk.stage1)
    operands.insert(contractionOf((*std::get_if<std::shared_ptr<const TileAsync>>(&node))->points, tiles)->a.array);
  for (const std::string &name : operands) {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < chunk.early.size(); ++k) {
      const TilePoints *points = regionOf(chunk.early[k]);
      if (!points) continue;
      const Touched touched = touchedBy(*points);
      if (touched.reads.count(name) || touched.writes.count(name)) places.push_back(k);
    }
    if (places.size() != 1) continue;
    TilePoints points = *regionOf(chunk.early[places[0]]);
    TileAssign &assign = points.body[0];
    if (points.body.size() != 1 || assign.update != Update::Set || assign.where || touchedBy(points).reads.count(name))
      continue;
    if (!twins.count(name)) {
      TileArray twin = *tileOf(name);
      twin.name += "_ahead";
      while (tileOf(twin.name) || boxed.names.count(twin.name)) twin.name += "_";
      tiles.push_back(twin);
      twins[name] = twin.name;
    }
    TilePoints move = points;
    move.body[0].value = Expr::read(twins[name], assign.target.subscripts, tileOf(name)->type);
    assign.target.array = twins[name];
    chunk.early[places[0]] = std::make_shared<const TilePoints>(points);
    chunk.early.push_back(std::make_shared<const TilePoints>(move));
  }
}

std::optional<Refusal> RoleMaker::split(const TileBlock &body, Chunk &chunk) {
  std::set<std::string> written; // fragments made in this chunk after a contraction
  Touched late;
  bool begun = std::none_of(body.begin(), body.end(), [&](const TileNode &node) {
    const TilePoints *points = regionOf(node);
    const auto contraction = points ? productOf(*points) : std::nullopt;
    return contraction && channels.count(contraction->a.array);
  });
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
    if (const auto contraction = productOf(*points)) {
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
    if (conflict(touched, late))
      return Refusal{"'" + *touched.writes.begin() + "' follows a product that waits in its chunk", {}};
    written.insert(touched.writes.begin(), touched.writes.end());
    TileBlock &where = begun ? chunk.early : chunk.first;
    append(where, remarks);
    remarks.clear();
    where.push_back(node);
  }
  for (const TileNode &node : chunk.first)
    if (const TilePoints *points = regionOf(node); points && conflict(touchedBy(*points), late)) {
      if (runsBeside()) return Refusal{"a product that waits uses what comes before the first", {}};
      inTurn = true;
    }
  if (chunk.stage0.empty() && chunk.stage1.empty()) return Refusal{"no product of copied tiles", {}};
  if (auto refusal = sortReads(body, chunk)) return refusal;
  if (chunk.stage0.empty() && runsBeside()) computeAhead(chunk);
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
  return std::nullopt;
}

/// As many slots as shared memory has room for, at most four; then two for what is copied once for a grid point, so
/// that the next one's chunks need not wait for this one's end.
std::optional<Refusal> RoleMaker::sizeRings() {
  constexpr int deepest = 4;
  std::int64_t once = 0, each = 0;
  for (const TileArray &tile : tiles) {
    if (!channels.count(tile.name)) continue;
    const std::int64_t bytes = slotBytes(constant(tile.extents[0]), constant(tile.extents[1]), units.elementBytes);
    (hoisted.count(tile.name) ? once : each) += bytes;
  }
  const std::int64_t room = each > 0 ? (units.sharedBytes - once) / each : 0;
  if (room < 2) return Refusal{"the tiles do not fit shared memory", {}};
  // A second slot for what all chunks share hides its copy behind the grid point before: worth a third one of chunks.
  const bool ahead = once > 0 && (units.sharedBytes - 2 * once) / each >= 2;
  const std::int64_t slots = ahead ? (units.sharedBytes - 2 * once) / each : room;
  for (TileArray &tile : tiles)
    if (channels.count(tile.name))
      tile.ring = hoisted.count(tile.name) ? (ahead ? 2 : 1) : static_cast<int>(std::min<std::int64_t>(slots, deepest));
  return std::nullopt;
}

/// Registers hold 16-bit elements to be rounded to, not to be computed with.
std::optional<Refusal> RoleMaker::checkTypes() const {
  std::optional<Refusal> refusal;
  const auto look = [&](const Expr &e) {
    const bool narrow = e.type() == Type::Float16 || e.type() == Type::BFloat16;
    const bool held = e.op() == Op::Read || e.op() == Op::Cast || e.op() == Op::Select || e.op() == Op::Real;
    if (narrow && !held) refusal = Refusal{"values are computed in 16 bits", {}};
  };
  for (const TileBlock *block : {&boxed.before, &boxed.loop->full, &boxed.loop->masked, &boxed.after})
    for (const TileNode &node : *block)
      if (const TilePoints *points = regionOf(node))
        for (const TileAssign &assign : points->body) visit(assign.value, look);
  return refusal;
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

/// The body with each channel that regions read got before its first use and released after its last.
TileBlock RoleMaker::holding(const TileBlock &body, const Chunk &chunk) const {
  std::map<std::size_t, std::vector<std::string>> gets, releases;
  for (const std::string &name : chunk.read) {
    std::optional<std::size_t> first;
    std::size_t last = 0;
    std::set<std::string> awaited;
    for (std::size_t k = 0; k < body.size(); ++k) {
      const TilePoints *points = regionOf(body[k]);
      const auto *contraction = std::get_if<std::shared_ptr<const TileAsync>>(&body[k]);
      if (contraction) points = &(*contraction)->points;
      const auto *sync = std::get_if<TileSync>(&body[k]);
      const bool done = sync && sync->kind == TileSync::Kind::Await && awaited.count(sync->name);
      const bool used = points && touchedBy(*points).reads.count(name) > 0;
      if (contraction && used) awaited.insert((*contraction)->name);
      if (used && !first) first = k;
      if (used || done) last = k;
    }
    gets[first.value_or(0)].push_back(name);
    releases[last].push_back(name);
  }
  TileBlock block;
  for (std::size_t k = 0; k < body.size(); ++k) {
    for (const std::string &name : gets[k]) block.emplace_back(TileSync{TileSync::Kind::Get, name});
    block.push_back(body[k]);
    for (const std::string &name : releases[k]) block.emplace_back(TileSync{TileSync::Kind::Release, name});
  }
  return block;
}

TileBlock RoleMaker::head(const Chunk &chunk) const {
  TileBlock block = chunk.first;
  append(block, issue(chunk.stage0, chunk.channels0));
  if (!chunk.stage0.empty()) append(block, finish(chunk.channels0, "first"));
  append(block, chunk.early);
  append(block, chunk.late);
  if (inTurn && !chunk.stage1.empty()) {
    append(block, issue(chunk.stage1, chunk.channels1));
    append(block, finish(chunk.channels1, "second"));
  }
  return holding(block, chunk);
}

TileBlock RoleMaker::steady(const Chunk &chunk) const {
  if (inTurn || chunk.stage1.empty()) return head(chunk);
  TileBlock block = chunk.first;
  if (!runsBeside()) { // the operands of stage 1 make room for the results of stage 0
    append(block, issue(chunk.stage1, chunk.channels1));
    append(block, finish(chunk.channels1, "second"));
    append(block, issue(chunk.stage0, chunk.channels0));
    if (!chunk.stage0.empty()) append(block, finish(chunk.channels0, "first"));
    append(block, chunk.early);
    append(block, chunk.late);
    return holding(block, chunk);
  }
  append(block, issue(chunk.stage0, chunk.channels0));
  append(block, issue(chunk.stage1, chunk.channels1));
  if (!chunk.stage0.empty()) append(block, finish(chunk.channels0, "first"));
  append(block, chunk.early);
  append(block, finish(chunk.channels1, "second"));
  append(block, chunk.late);
  return holding(block, chunk);
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
  std::vector<std::string> now = full.read;
  now.insert(now.end(), full.channels0.begin(), full.channels0.end());
  std::vector<std::string> behind = full.channels1;
  if (inTurn) {
    now.insert(now.end(), behind.begin(), behind.end());
    behind.clear();
  }
  TileBlock each = copiesOf(full, now, here);
  append(each, copiesOf(full, behind, simplify(here - Expr::integer(loop.step))));
  const Expr chunks =
      Expr::make(Op::FloorDiv, Type::Int64, {loop.limit - Expr::integer(1) - loop.first, Expr::integer(loop.step)});
  TileBlock body = copiesOf(full, now, loop.first);
  body.push_back(
      std::make_shared<const TileLoop>(TileLoop{loop.variable, simplify(loop.first + Expr::integer(loop.step)),
                                                loop.limit, loop.step, TileLoop::Kind::Serial, each}));
  append(body, copiesOf(full, behind, simplify(loop.first + chunks * Expr::integer(loop.step))));
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
  if (!inTurn && !full.stage1.empty()) {
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

/// How many values of a grid variable, one after the other, stream the same chunks: one if a subscript of theirs holds
/// it bare, n if all hold it as floor(variable / n); absent: all values, since no subscript holds it.
std::optional<std::int64_t> RoleMaker::sharing(const std::string &variable) const {
  std::optional<std::int64_t> shared;
  const std::function<void(const Expr &)> look = [&](const Expr &e) {
    const bool grouped = e.op() == Op::FloorDiv && e.arg(0).op() == Op::Symbol && e.arg(1).op() == Op::Integer;
    const Expr named = grouped ? e.arg(0) : e;
    if (named.op() == Op::Symbol && named->name == variable)
      shared = std::gcd(shared.value_or(0), grouped ? e.arg(1)->integer : 1);
    else
      for (const Expr &arg : e->args) look(arg);
  };
  for (const TileNode &node : boxed.loop->full) {
    const TilePoints *copy = regionOf(node);
    if (copy && isCopy(*copy))
      for (const Expr &subscript : copy->body[0].value->args) look(subscript);
  }
  return shared;
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
      chunkBytes += units.elementBytes * constant(tile.extents[0]) * constant(tile.extents[1]);
  const Expr length = atRow(boxed.loop->limit, last);
  const Expr bytes = Expr::make(
      Op::Max, Type::Int64, {length * Expr::integer(std::max<std::int64_t>(1, chunkBytes / boxed.loop->step)), one});
  const auto divided = [](const Expr &a, const Expr &b) { return Expr::make(Op::FloorDiv, Type::Int64, {a, b}); };
  const auto minimum = [](const Expr &a, const Expr &b) { return Expr::make(Op::Min, Type::Int64, {a, b}); };
  const auto maximum = [](const Expr &a, const Expr &b) { return Expr::make(Op::Max, Type::Int64, {a, b}); };
  Expr same = one; // neighbours that stream the same chunks
  for (std::size_t i = kernel.grid.size(); i-- > 0;) {
    const PointDim &d = kernel.grid[i];
    if (&d == &*row) continue;
    const auto shared = sharing(d.variable);
    same = simplify(same * (shared ? Expr::integer(*shared) : extent(d)));
    if (shared) break;
  }
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
  const Expr group = let("group", maximum(minimum(divided(Expr::integer(cacheBytes), bytes) * same, others), one));
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
  if (auto refusal = checkTypes()) return *refusal;
  if (auto refusal = split(boxed.loop->full, full)) return *refusal;
  if (auto refusal = split(boxed.loop->masked, masked)) return *refusal;
  if (full.read != masked.read || full.channels0 != masked.channels0 || full.channels1 != masked.channels1)
    return Refusal{"full and masked chunks copy different tiles", {}};
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
