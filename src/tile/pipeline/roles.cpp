// Copies from the program's arrays become channels filled by a role of their own. In the computing role, contractions
// of two copied tiles come first in a chunk (stage 0); those that need this chunk's element-wise results (stage 1) are
// issued together with the next chunk's stage 0, so that matrix units and element-wise work overlap: a loop skewed by
// one, with its first stage 0 and its last stage 1 outside. Where there is no stage 0, the next chunk's element-wise
// results overlap with stage 1, and take their place in its operand when it is done. Where threads issue products one
// after the other anyway, and stage 1's operand stands where stage 0 begins, stages follow in order within a chunk.
// Element-wise regions hold what they read of a channel from the first of them to the last.
#include "roles.h"

#include "stages.h"
#include "ticket_order.h"
#include "tile/visit.h"

#include <algorithm>
#include <map>
#include <optional>

namespace polymend {
namespace {

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
    if (const TilePoints *points = as<TilePoints>(node))
      result.push_back(nodeOf(moved(*points)));
    else if (const auto *async = as<TileAsync>(node))
      result.push_back(nodeOf(TileAsync{async->kind, async->name, moved(async->points)}));
    else
      result.push_back(node);
  }
  return result;
}

/// The block where the variable is at least `least`: what is chosen below that is not.
TileBlock from(const TileBlock &block, const std::string &variable, const Expr &least) {
  const auto isBelow = [&](const Expr &e) {
    return e.op() == Op::Lt && e.arg(0).op() == Op::Symbol && e.arg(0)->name == variable && equal(e.arg(1), least);
  };
  return rewriteExprs(block, [&](const Expr &value) {
    return !value ? value : rewrite(value, [&](const Expr &e) {
      return e.op() == Op::Select && isBelow(e.arg(0)) ? e.arg(2) : e;
    });
  });
}

class RoleMaker {
public:
  RoleMaker(const RoleTiles &tiles, const Stages &split) : roles(tiles), stages(split) {}
  [[nodiscard]] TileBlock loader() const;
  [[nodiscard]] TileBlock computer() const;

private:
  [[nodiscard]] static TileBlock issue(const TileBlock &contractions, const std::vector<std::string> &channels);
  [[nodiscard]] static TileBlock finish(const std::vector<std::string> &channels, const std::string &name);
  [[nodiscard]] static TileBlock holding(const TileBlock &body, const Chunk &chunk);
  [[nodiscard]] Expr filledRows(const TileAssign &copy) const;
  [[nodiscard]] TileNode filled(const TileNode &region) const;
  [[nodiscard]] TileBlock copiesOf(const Chunk &chunk, const std::vector<std::string> &channels, const Expr &at) const;
  [[nodiscard]] TileBlock head(const Chunk &chunk) const;
  [[nodiscard]] TileBlock steadyState(const Chunk &chunk) const;
  [[nodiscard]] TileBlock releases() const;
  [[nodiscard]] TileBlock loops(const TileBlock &headBody, const TileBlock &full, const TileBlock &masked,
                                const TileBlock &tail) const;

  const RoleTiles &roles;
  const Stages &stages;
};

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
TileBlock RoleMaker::holding(const TileBlock &body, const Chunk &chunk) {
  std::map<std::size_t, std::vector<std::string>> gets, releases;
  for (const std::string &name : chunk.read) {
    std::optional<std::size_t> first;
    std::size_t last = 0;
    std::set<std::string> awaited;
    for (std::size_t k = 0; k < body.size(); ++k) {
      const TilePoints *points = as<TilePoints>(body[k]);
      const auto *contraction = as<TileAsync>(body[k]);
      if (contraction) points = &contraction->points;
      const auto *sync = as<TileSync>(body[k]);
      const bool done = sync && sync->kind == TileSync::Kind::Await && awaited.count(sync->name);
      const bool used = points && touchedBy(*points).reads.count(name) > 0;
      if (contraction && used) awaited.insert(contraction->name);
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
  if (stages.inTurn && !chunk.stage1.empty()) {
    append(block, issue(chunk.stage1, chunk.channels1));
    append(block, finish(chunk.channels1, "second"));
  }
  return holding(block, chunk);
}

TileBlock RoleMaker::steadyState(const Chunk &chunk) const {
  if (stages.inTurn || chunk.stage1.empty()) return head(chunk);
  TileBlock block = chunk.first;
  if (!roles.isAsynchronous()) { // the operands of stage 1 make room for the results of stage 0
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

/// Are the two the same in whatever order their terms stand?
bool isSame(const Expr &a, const Expr &b) { return equal(simplify(a - b), Expr::integer(0)); }

bool sharesSymbols(const Expr &a, const Expr &b) {
  const std::set<std::string> one = symbols(a), other = symbols(b);
  return std::any_of(one.begin(), one.end(), [&](const std::string &name) { return other.contains(name); });
}

/// Is the limit that of a run's rows, but for tiles before the last, where it may be less? Then all of them are read.
bool endsWith(const Expr &limit, const RunElements &run) {
  const auto isCount = [&](const Expr &e) { return e.op() == Op::Symbol && e->name == run.count; };
  if (limit.op() != Op::Min) return isCount(limit);
  const bool first = isCount(limit.arg(0));
  const Expr beyond = simplify(limit.arg(first ? 1 : 0) - run.row);
  return (first || isCount(limit.arg(1))) && beyond.op() == Op::Integer && beyond->integer >= run.rows;
}

/// How many rows of a copied tile there are where its rows follow the loop, and this ends at what is read from arrays,
/// or data say where the rows are, or where they are rows of a run: elements beyond are none of this grid point's, and
/// may be none of the array's. Absent: the array's extents tell.
Expr RoleMaker::filledRows(const TileAssign &copy) const {
  const ChunkLoop &loop = *roles.rectangular.loop;
  const Expr row = copy.target.subscripts[0], chunk = Expr::symbol(loop.variable, Type::Int64);
  if (roles.isGathered(copy)) return simplify(loop.limit - chunk);
  for (const Expr &subscript : copy.value->args) {
    const Expr first = simplify(subscript - row), start = simplify(first - chunk);
    if (!symbols(subscript).contains(row->name) || symbols(first).contains(row->name)) continue;
    const bool follows = !symbols(start).contains(loop.variable) && roles.endsAtData(loop.limit);
    for (const RunElements &run : roles.rectangular.runs) {
      const Expr begin = Expr::symbol(run.begin, Type::Int64);
      if (follows && isSame(start, begin) && endsWith(loop.limit, run))
        return simplify(Expr::symbol(run.count, Type::Int64) - chunk);
      if (isSame(first, begin + run.row)) return simplify(run.end - first);
      const Expr rest = simplify(first - run.row);
      if (sharesSymbols(first, run.row) && !sharesSymbols(rest, run.row) && !sharesSymbols(rest, chunk))
        return simplify(Expr::symbol(run.count, Type::Int64) - run.row);
    }
    if (follows) return simplify(loop.limit - chunk);
  }
  return {};
}

/// The copy with how many rows it fills.
TileNode RoleMaker::filled(const TileNode &region) const {
  TileAsync copy{TileAsync::Kind::Copy, "", *as<TilePoints>(region)};
  TileAssign &assign = copy.points.body[0];
  if (const Expr rows = filledRows(assign)) assign.where = Expr::make(Op::Lt, {assign.target.subscripts[0], rows});
  return nodeOf(copy);
}

/// The copies of some channels for the chunk that begins at `at`.
TileBlock RoleMaker::copiesOf(const Chunk &chunk, const std::vector<std::string> &wanted, const Expr &at) const {
  TileBlock block;
  const std::string &variable = roles.rectangular.loop->variable;
  const auto move = [&](const Expr &e) {
    return simplify(substitute(e, [&](const std::string &name) { return name == variable ? at : Expr(); }));
  };
  for (const TileNode &node : chunk.copies) {
    TileAsync copy = *as<TileAsync>(node);
    TileAssign &assign = copy.points.body[0];
    if (std::find(wanted.begin(), wanted.end(), assign.target.array) == wanted.end()) continue;
    const Expr filled = filledRows(assign);
    ExprNode read = *(roles.isGathered(assign) ? roles.inRuns(assign) : assign).value;
    for (Expr &subscript : read.args) subscript = move(subscript);
    assign.value = Expr{read};
    if (filled) assign.where = Expr::make(Op::Lt, {assign.target.subscripts[0], move(filled)});
    block.push_back(nodeOf(copy));
  }
  return block;
}

/// What all chunks share goes back as soon as the last stage 0 is done, so that the next grid point's can come.
TileBlock RoleMaker::releases() const {
  TileBlock block;
  for (const std::string &name : roles.hoisted) block.emplace_back(TileSync{TileSync::Kind::Release, name});
  return block;
}

/// The first chunk, the others by whether they are full, and what follows the last; nothing where there is no chunk.
TileBlock RoleMaker::loops(const TileBlock &headBody, const TileBlock &fullBody, const TileBlock &maskedBody,
                           const TileBlock &tail) const {
  const ChunkLoop &loop = *roles.rectangular.loop;
  const Expr second = simplify(loop.first + Expr::integer(loop.step));
  const auto chunks = [&](const Expr &begin, const Expr &end, const TileBlock &body) {
    return nodeOf(
        TileLoop{loop.variable, begin, end, loop.step, TileLoop::Kind::Serial, from(body, loop.variable, second)});
  };
  const auto atLeast = [&](const Expr &value) { return simplify(Expr::make(Op::Max, Type::Int64, {value, second})); };
  TileBlock block = at(headBody, loop.variable, loop.first);
  if (!equal(loop.fullFirst, loop.first)) block.push_back(chunks(second, loop.fullFirst, maskedBody));
  const bool neverFull = loop.endsFull && equal(loop.fullFirst, loop.limit);
  if (!neverFull) block.push_back(chunks(atLeast(loop.fullFirst), loop.fullLimit, fullBody));
  if (!loop.endsFull) block.push_back(chunks(atLeast(loop.fullLimit), loop.limit, maskedBody));
  const TileBlock released = releases();
  append(block, released);
  append(block, tail);
  return {nodeOf(TileBranch{Expr::make(Op::Lt, {loop.first, loop.limit}), block, released})};
}

TileBlock RoleMaker::loader() const {
  const ChunkLoop &loop = *roles.rectangular.loop;
  const Expr here = Expr::symbol(loop.variable, Type::Int64);
  TileBlock block;
  for (const TileNode &node : roles.rectangular.before)
    if (const TilePoints *points = as<TilePoints>(node); points && roles.isCopy(*points)) block.push_back(filled(node));
  std::vector<std::string> now = stages.full.read;
  now.insert(now.end(), stages.full.channels0.begin(), stages.full.channels0.end());
  std::vector<std::string> behind = stages.full.channels1;
  if (stages.inTurn) {
    now.insert(now.end(), behind.begin(), behind.end());
    behind.clear();
  }
  TileBlock each = copiesOf(stages.full, now, here);
  append(each, copiesOf(stages.full, behind, simplify(here - Expr::integer(loop.step))));
  const Expr chunks =
      Expr::make(Op::FloorDiv, Type::Int64, {loop.limit - Expr::integer(1) - loop.first, Expr::integer(loop.step)});
  TileBlock body = copiesOf(stages.full, now, loop.first);
  body.push_back(nodeOf(TileLoop{loop.variable, simplify(loop.first + Expr::integer(loop.step)), loop.limit, loop.step,
                                 TileLoop::Kind::Serial, each}));
  append(body, copiesOf(stages.full, behind, simplify(loop.first + chunks * Expr::integer(loop.step))));
  block.push_back(nodeOf(TileBranch{Expr::make(Op::Lt, {loop.first, loop.limit}), body, {}}));
  return block;
}

TileBlock RoleMaker::computer() const {
  TileBlock block;
  for (const TileNode &node : roles.rectangular.before) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points || !roles.isCopy(*points)) block.push_back(node);
  }
  for (const std::string &name : roles.hoisted) block.emplace_back(TileSync{TileSync::Kind::Get, name});
  TileBlock tail;
  if (!stages.inTurn && !stages.full.stage1.empty()) {
    tail = issue(stages.full.stage1, stages.full.channels1);
    append(tail, finish(stages.full.channels1, "second"));
  }
  append(block, loops(head(stages.masked), steadyState(stages.full), steadyState(stages.masked), tail));
  append(block, roles.rectangular.after);
  return block;
}

/// Warps beside each other have parts of rows: of these they add up products of copied tiles, and store what they add
/// up. Refused: anything else.
std::optional<Refusal> checkParts(const RoleTiles &roles, const Stages &stages) {
  for (const TileArray &tile : roles.tiles)
    if (tile.space == Space::Fragment && tile.extents.size() != 2) return Refusal{"no warp has whole rows", {}};
  for (const Chunk *chunk : {&stages.full, &stages.masked})
    for (const TileBlock *block : {&chunk->first, &chunk->early, &chunk->late, &chunk->stage1})
      if (!block->empty()) return Refusal{"a chunk holds more than products of copied tiles", placeOf(*block)};
  for (const TileBlock *block : {&roles.rectangular.before, &roles.rectangular.after})
    for (const TileNode &node : *block)
      if (const TilePoints *points = as<TilePoints>(node))
        if (points->dims.size() != 2 || points->dims[1].kind != PointDim::Kind::Parallel)
          return Refusal{"a region has no columns of its own", placeOf({node})};
  return std::nullopt;
}

/// The reason in the names of the source: an array stands for the tile that copies it.
Refusal inSourceNames(Refusal refusal, const RoleTiles &roles) {
  const auto rename = [&](const TilePoints &points) {
    if (!roles.isCopy(points)) return;
    const std::string tile = "'" + points.body[0].target.array + "'", array = "'" + points.body[0].value->name + "'";
    for (std::size_t at = 0; (at = refusal.reason.find(tile, at)) != std::string::npos; at += array.size())
      refusal.reason.replace(at, tile.size(), array);
  };
  each<TilePoints>(roles.rectangular.before, rename);
  each<TilePoints>(roles.rectangular.loop->full, rename);
  return refusal;
}

Result<Kernel> kernelOf(RoleTiles &roles) {
  const RectangularKernel &rectangular = roles.rectangular;
  const MatrixUnits &units = roles.units;
  if (auto refusal = roles.findChannels()) return *refusal;
  if (auto refusal = roles.checkGathered()) return *refusal;
  if (auto refusal = roles.checkTypes()) return *refusal;
  const Result<Stages> stages = stagesOf(roles);
  if (!stages) return stages.refusal();
  if (auto refusal = roles.checkFragments()) return *refusal;
  if (rectangular.warpsN > 1)
    if (auto refusal = checkParts(roles, *stages)) return *refusal;
  if (auto refusal = roles.sizeRings()) return *refusal;
  Kernel kernel;
  kernel.name = rectangular.name;
  kernel.grid = rectangular.grid;
  kernel.lets = rectangular.lets;
  kernel.tiles = roles.tiles;
  std::int64_t rows = 0;
  for (const TileArray &tile : roles.tiles)
    if (tile.space == Space::Fragment) rows = constant(tile.extents[0]);
  const int groups = static_cast<int>(rows / groupRows(units.atom));
  const bool handsOver = units.handsRegisters;
  const RoleMaker maker(roles, *stages);
  kernel.roles.push_back({"load", 1, !handsOver ? 0 : groups == 3 ? 32 : 56, maker.loader()});
  kernel.roles.push_back({"compute", groups,
                          !handsOver    ? 0
                          : groups == 3 ? 160
                          : groups == 2 ? 224
                                        : 256,
                          maker.computer()});
  kernel.order = ticketOrder(kernel.grid, roles);
  kernel.atom = units.atom.name;
  return kernel;
}

} // namespace

Result<Kernel> withRoles(const RectangularKernel &rectangular, const MatrixUnits &units) {
  if (!rectangular.loop) return Refusal{"no loop over chunks", {}};
  RoleTiles roles(rectangular, units);
  Result<Kernel> kernel = kernelOf(roles);
  return kernel ? kernel : inSourceNames(kernel.refusal(), roles);
}

} // namespace polymend
