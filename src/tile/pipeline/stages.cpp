// What the matrix units may still be reading or adding to must wait for them; all else of a chunk need not.
#include "stages.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend {
namespace {

void join(Touched &all, const Touched &more) {
  all.reads.insert(more.reads.begin(), more.reads.end());
  all.writes.insert(more.writes.begin(), more.writes.end());
}

class Splitter {
public:
  Splitter(RoleTiles &tilesOfRoles, Stages &result) : roles(tilesOfRoles), stages(result) {}
  std::optional<Refusal> split(const TileBlock &body, Chunk &chunk);

private:
  bool bringForward(const Touched &product, Chunk &chunk) const;
  std::optional<Refusal> sortReads(const TileBlock &body, Chunk &chunk) const;
  void computeAhead(Chunk &chunk);
  std::optional<Refusal> stage(const Contraction &product, const TileNode &node, const std::set<std::string> &written,
                               Chunk &chunk);
  static void holdBack(Touched late, Chunk &chunk);

  RoleTiles &roles;
  Stages &stages;
};

/// Has the regions that a product of copied tiles needs run before all such products; false: one of them waits itself.
bool Splitter::bringForward(const Touched &product, Chunk &chunk) const {
  Touched passed; // what runs between the products so far and a region
  for (const TileNode &node : chunk.stage0) {
    const Touched touched = touchedBy(as<TileAsync>(node)->points);
    join(passed, touched);
  }
  TileBlock stays;
  for (const TileNode &node : chunk.early) {
    const TilePoints *points = as<TilePoints>(node);
    const Touched touched = points ? touchedBy(*points) : Touched();
    if (points && conflict(touched, product)) {
      if (conflict(touched, passed)) return false;
      chunk.first.push_back(node);
      continue;
    }
    stays.push_back(node);
    join(passed, touched);
  }
  chunk.early = stays;
  return true;
}

/// The channels of this chunk that regions read.
std::optional<Refusal> Splitter::sortReads(const TileBlock &body, Chunk &chunk) const {
  for (const TileNode &node : body) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points || roles.isCopy(*points) || roles.productOf(*points)) continue;
    for (const std::string &name : touchedBy(*points).reads)
      if (roles.channels.count(name) && !roles.hoisted.count(name) &&
          std::find(chunk.read.begin(), chunk.read.end(), name) == chunk.read.end())
        chunk.read.push_back(name);
  }
  for (const std::string &name : chunk.read) {
    if (std::find(chunk.channels1.begin(), chunk.channels1.end(), name) != chunk.channels1.end())
      return Refusal{"'" + name + "' is read in two stages of the loop", placeOf(body, name)};
    std::erase(chunk.channels0, name);
  }
  return std::nullopt;
}

/// An operand of stage 1 that one region sets and nothing else touches is computed beside it and moves to its place
/// afterwards.
void Splitter::computeAhead(Chunk &chunk) {
  std::set<std::string> operands;
  for (const TileNode &node : chunk.stage1)
    operands.insert(contractionOf(as<TileAsync>(node)->points, roles.tiles)->a.array);
  for (const std::string &name : operands) {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < chunk.early.size(); ++k) {
      const TilePoints *points = as<TilePoints>(chunk.early[k]);
      if (!points) continue;
      const Touched touched = touchedBy(*points);
      if (touched.reads.count(name) || touched.writes.count(name)) places.push_back(k);
    }
    if (places.size() != 1) continue;
    TilePoints points = *as<TilePoints>(chunk.early[places[0]]);
    TileAssign &assign = points.body[0];
    if (points.body.size() != 1 || assign.update != Update::Set || assign.where || touchedBy(points).reads.count(name))
      continue;
    if (!stages.twins.count(name)) {
      TileArray twin = *roles.tileOf(name);
      twin.name += "_ahead";
      while (roles.tileOf(twin.name) || roles.rectangular.names.count(twin.name)) twin.name += "_";
      roles.tiles.push_back(twin);
      stages.twins[name] = twin.name;
    }
    TilePoints move = points;
    move.body[0].value = Expr::read(stages.twins[name], assign.target.subscripts, roles.tileOf(name)->type);
    assign.target.array = stages.twins[name];
    chunk.early[places[0]] = nodeOf(points);
    chunk.early.push_back(nodeOf(move));
  }
}

/// Whether a condition is one of positions and sizes alone.
bool symbolsOnly(const Expr &e) {
  std::set<std::string> reads;
  noteReads(e, reads);
  return reads.empty();
}

/// The regions with those that concern only some rows, and what depends on them, behind the others: threads that no
/// such row belongs to jump across them, and what is left before the jump is one run of code.
TileBlock jumpsLast(const TileBlock &block) {
  TileBlock others, behind, remarks;
  Touched jumped;
  for (const TileNode &node : block) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points) {
      remarks.push_back(node);
      continue;
    }
    const Touched touched = touchedBy(*points);
    const bool some = std::any_of(points->body.begin(), points->body.end(),
                                  [](const TileAssign &a) { return a.where && !symbolsOnly(a.where); });
    const bool jumps = some || conflict(touched, jumped);
    append(jumps ? behind : others, remarks);
    remarks.clear();
    (jumps ? behind : others).push_back(node);
    if (!jumps) continue;
    join(jumped, touched);
  }
  append(others, behind);
  append(others, remarks);
  return others;
}

/// Puts a product into the stage that its left factor decides.
std::optional<Refusal> Splitter::stage(const Contraction &product, const TileNode &node,
                                       const std::set<std::string> &written, Chunk &chunk) {
  const std::string &left = product.a.array, &right = product.b.array;
  if (!roles.channels.count(right)) return Refusal{"'" + right + "' is no copied tile", placeOf({node})};
  const bool second = !roles.channels.count(left);
  if (second && roles.hoisted.count(right)) return Refusal{"'" + right + "' is shared by all chunks", placeOf({node})};
  if (second && !written.count(left)) return Refusal{"'" + left + "' is made before the loop", placeOf({node})};
  std::vector<std::string> &used = second ? chunk.channels1 : chunk.channels0;
  for (const std::string &name : {left, right})
    if (roles.channels.count(name) && !roles.hoisted.count(name) &&
        std::find(used.begin(), used.end(), name) == used.end())
      used.push_back(name);
  if (!second && !chunk.stage1.empty())
    return Refusal{"a product of copied tiles follows one that waits", placeOf({node})};
  if (!second && !bringForward(touchedBy(*as<TilePoints>(node)), chunk))
    return Refusal{"a product of copied tiles needs what waits for another", placeOf({node})};
  (second ? chunk.stage1 : chunk.stage0)
      .push_back(asyncOf(TileAsync::Kind::Contract, second ? "second" : "first", node));
  return std::nullopt;
}

/// What the matrix units may still be reading or adding to must wait for them.
void Splitter::holdBack(Touched late, Chunk &chunk) {
  TileBlock early, held;
  for (const TileNode &node : chunk.early) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points) {
      held.push_back(node);
      continue;
    }
    const Touched touched = touchedBy(*points);
    const bool waits = conflict(touched, late);
    append(waits ? chunk.late : early, held);
    held.clear();
    (waits ? chunk.late : early).push_back(node);
    if (waits) join(late, touched);
  }
  chunk.early = early;
  chunk.late = jumpsLast(chunk.late);
}

std::optional<Refusal> Splitter::split(const TileBlock &body, Chunk &chunk) {
  std::set<std::string> written; // fragments made in this chunk after a contraction
  Touched late;
  bool begun = std::none_of(body.begin(), body.end(), [&](const TileNode &node) {
    const TilePoints *points = as<TilePoints>(node);
    const auto contraction = points ? roles.productOf(*points) : std::nullopt;
    return contraction && roles.channels.count(contraction->a.array);
  });
  TileBlock remarks;
  for (const TileNode &node : body) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points) {
      if (!as<TileNote>(node)) return Refusal{"a chunk holds more than boxes", placeOf({node})};
      remarks.push_back(node);
      continue;
    }
    if (roles.isCopy(*points)) {
      chunk.copies.push_back(asyncOf(TileAsync::Kind::Copy, "", node));
      continue;
    }
    const Touched touched = touchedBy(*points);
    if (const auto product = roles.productOf(*points)) {
      if (auto refusal = stage(*product, node, written, chunk)) return refusal;
      begun = true;
      if (!roles.channels.count(product->a.array)) join(late, touched);
      continue;
    }
    if (conflict(touched, late))
      return Refusal{"'" + *touched.writes.begin() + "' follows a product that waits in its chunk", placeOf({node})};
    written.insert(touched.writes.begin(), touched.writes.end());
    TileBlock &where = begun ? chunk.early : chunk.first;
    append(where, remarks);
    remarks.clear();
    where.push_back(node);
  }
  for (const TileNode &node : chunk.first)
    if (const TilePoints *points = as<TilePoints>(node); points && conflict(touchedBy(*points), late)) {
      if (roles.isAsynchronous())
        return Refusal{"a product that waits uses what comes before the first", placeOf({node})};
      stages.inTurn = true;
    }
  if (chunk.stage0.empty() && chunk.stage1.empty()) return Refusal{"no product of copied tiles", placeOf(body)};
  if (auto refusal = sortReads(body, chunk)) return refusal;
  if (chunk.stage0.empty() && roles.isAsynchronous()) computeAhead(chunk);
  holdBack(late, chunk);
  return std::nullopt;
}

} // namespace

TileNode asyncOf(TileAsync::Kind kind, const std::string &name, const TileNode &region) {
  return nodeOf(TileAsync{kind, name, *as<TilePoints>(region)});
}

Result<Stages> stagesOf(RoleTiles &roles) {
  Stages stages;
  Splitter splitter(roles, stages);
  if (auto refusal = splitter.split(roles.rectangular.loop->full, stages.full)) return *refusal;
  if (auto refusal = splitter.split(roles.rectangular.loop->masked, stages.masked)) return *refusal;
  const Chunk &full = stages.full, &masked = stages.masked;
  if (full.read != masked.read || full.channels0 != masked.channels0 || full.channels1 != masked.channels1)
    return Refusal{"full and masked chunks copy different tiles", placeOf(roles.rectangular.loop->masked)};
  return stages;
}

} // namespace polymend
