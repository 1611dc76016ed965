// Bounds come from the union of the members' domains, so that chunks that no member needs are not visited; conditions
// on rows alone are asked once, before the loop. A chunk that every member fills runs with constant bounds.
#include "loops.h"

#include "empty_chunks.h"

#include "polymend/points.h"
#include "tile/equal.h"
#include "tile/intervals.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <tuple>

namespace polymend {
namespace {

/// One dimension of a set becomes a parameter of a set of no dimensions.
isl::set toParameter(isl::set set, const std::string &name) {
  isl_set *raw = set.release();
  const auto position = static_cast<unsigned>(isl_set_dim(raw, isl_dim_param));
  raw = isl_set_move_dims(raw, isl_dim_param, position, isl_dim_set, 0, 1);
  raw = isl_set_set_dim_name(raw, isl_dim_param, position, name.c_str());
  return isl::manage(isl_set_params(raw));
}

/// A non-negative constant that a bound never falls below.
std::optional<std::int64_t> leastValue(const Expr &bound) {
  if (bound.op() == Op::Integer && bound->integer >= 0) return bound->integer;
  if (bound.op() != Op::Max) return std::nullopt;
  const auto a = leastValue(bound.arg(0)), b = leastValue(bound.arg(1));
  return a && b ? std::max(*a, *b) : a ? a : b;
}

/// The tiles for which a condition must hold before it is left out. In a rectangular kernel, whose copies end where
/// arrays do, these are the ones that have a row to compute: of what is computed in others nobody reads anything.
/// Elsewhere all that the grid has: what has no row has nothing to read.
isl::set tilesThatCount(const PhaseContext &context) {
  if (!context.frame.rectangular) return context.known;
  Axes axes;
  for (const RowAxis &row : context.frame.rows) axes.push_back(row.axis);
  return context.known.intersect(isl::manage(isl_set_params(pointSet(context.frame.plan.domain, axes, {}).release())));
}

/// The conditions of a line that do not bound it.
isl::set besideBounds(const isl::set &line) {
  return isl::manage(isl_set_drop_constraints_involving_dims(line.copy(), isl_dim_set, 0, 1)).params();
}

/// The conditions of a line that bound it.
isl::set boundsAlone(const isl::set &line) {
  return isl::manage(isl_set_drop_constraints_not_involving_dims(line.copy(), isl_dim_set, 0, 1));
}

/// What is known in a loop over the points of `line`: a condition that does not bound them is no part of it, unless it
/// holds for all `tiles`.
isl::set loopOf(const isl::set &line, const isl::set &tiles) {
  return tiles.is_subset(besideBounds(line)) ? line : boundsAlone(line);
}

/// What the points of a line need that neither its bounds nor the `tiles` say. `early`: the loop may begin before the
/// first point, so that its bounds do not say that there is one.
isl::set neededBeside(const isl::set &line, const isl::set &tiles, bool early) {
  const isl::set said = early ? tiles : tiles.intersect(boundsAlone(line).params());
  const isl::set beside = early ? line.params() : besideBounds(line);
  if (said.is_subset(beside)) return isl::manage(isl_set_universe(isl_set_get_space(beside.get())));
  return beside.gist(said);
}

/// Is a bound rounded down to a multiple?
bool isRounded(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || node.op() == Op::FloorDiv; });
  return found;
}

/// Bounds of a union of lines: those of its hull; where it has none, as no line's bound serves for all, the outermost
/// of the lines'.
std::pair<Expr, Expr> boundsAround(const isl::set &hull, const std::vector<isl::set> &lines) {
  auto [low, high] = boundsOf(hull, "x");
  const auto outermost = [&](Op op, bool upper) {
    Expr all;
    for (const isl::set &line : lines) {
      const auto [first, limit] = outermostBounds(line, "x");
      const Expr &one = upper ? limit : first;
      if (!one) return Expr();
      all = all ? Expr::make(op, Type::Int64, {all, one}) : one;
    }
    return all;
  };
  if (!low) low = outermost(Op::Min, false);
  if (!high) high = outermost(Op::Max, true);
  return {low, high};
}

/// The sizes for which a member has a point at all: for others a rectangular kernel stores nothing.
isl::set sizesThatCount(const PhaseContext &context) {
  isl::set all;
  for (const Seated &seated : context.seats) {
    const isl::set own = seated.equation.domain.params();
    all = all.is_null() ? own : all.unite(own);
  }
  return all;
}

/// In a rectangular kernel, both ends of a line of many parts that for each of the tiles is one run of neighbours.
std::optional<std::pair<Expr, Expr>> exactBounds(const PhaseContext &context, const isl::set &line,
                                                 const isl::set &tiles) {
  constexpr int many = 2;
  if (!context.frame.rectangular || !context.frame.relaxed.positions ||
      isl_set_n_basic_set(line.coalesce().get()) < many)
    return std::nullopt;
  const isl::set assumed = tiles.intersect(context.frame.scop.assumptions);
  const isl::set all = context.rolled.size() > 1 ? assumed.intersect(sizesThatCount(context)) : assumed;
  const isl::set around = isl::manage(isl_set_add_dims(isl_set_from_params(all.copy()), isl_dim_set, 1));
  const auto ends = intervalAlong(line, 0, around, symbolsOf({"x"}));
  if (!ends) return std::nullopt;
  return std::pair{ends->first, simplify(ends->last + Expr::integer(1))};
}

/// { [x] -> [j] : j <= x < j + chunk }
isl::map chunkMap(isl_ctx *ctx, std::int64_t chunk) {
  const std::string text = "{ [x] -> [j] : j <= x < j + " + std::to_string(chunk) + " }";
  return isl::manage(isl_map_read_from_str(ctx, text.c_str()));
}

/// What a line's constraints that bound it from below (side 1) or above (-1) leave, with those that bound it not.
isl::set boundedFrom(const isl::basic_set &line, int side) {
  isl::basic_set result = isl::manage(isl_basic_set_universe(isl_basic_set_get_space(line.get())));
  isl_constraint_list *all = isl_basic_set_get_constraint_list(line.get());
  for (int i = 0; i < isl_constraint_list_n_constraint(all); ++i) {
    isl_constraint *constraint = isl_constraint_list_get_constraint(all, i);
    const bool equality = isl_constraint_is_equality(constraint) == isl_bool_true;
    isl_val *factor = isl_constraint_get_coefficient_val(constraint, isl_dim_set, 0);
    const int sign = isl_val_sgn(factor);
    isl_val_free(factor);
    isl_aff *aff = isl_constraint_get_aff(constraint);
    isl_constraint_free(constraint);
    if (equality && sign != 0 && sign != side) aff = isl_aff_neg(aff);
    if (equality || sign != -side)
      result = isl::manage(isl_basic_set_add_constraint(
          result.release(), equality && sign == 0 ? isl_equality_from_aff(aff) : isl_inequality_from_aff(aff)));
    else
      isl_aff_free(aff);
  }
  isl_constraint_list_free(all);
  return isl::set(result);
}

/// The chunks that a loop over a line visits, which begins at a multiple of their length: where the line has no point,
/// it may still visit the one before its end.
isl::set chunksOf(const isl::set &line, const isl::map &chunks) {
  const isl::basic_set bounds = isl::manage(isl_set_simple_hull(line.copy()));
  return boundedFrom(bounds, 1).apply(chunks).intersect(boundedFrom(bounds, -1).apply(chunks));
}

/// The condition that every member fills its whole box in this chunk; absent: never, or too hard to say.
std::optional<Expr> fullCondition(const PhaseContext &context) {
  isl::set filled = context.known;
  for (const Seated &seated : context.seats) {
    Seated plain = seated;
    for (const OwnLoop &own : seated.loops) plain.axes[own.dim] = {seated.axes[own.dim].point, {}, 0};
    std::vector<unsigned> order;
    for (unsigned d : seated.order())
      if (plain.axes[d].extent > 0) order.push_back(d);
    if (!seated.loops.empty()) return std::nullopt;
    const isl::set points = pointSet(seated.equation.domain, plain.axes, order);
    isl::set box = isl::manage(isl_set_universe(isl_set_get_space(points.get())));
    for (unsigned k = 0; k < order.size(); ++k) {
      box = isl::manage(isl_set_lower_bound_si(box.release(), isl_dim_set, k, 0));
      box = isl::manage(
          isl_set_upper_bound_si(box.release(), isl_dim_set, k, static_cast<int>(plain.axes[order[k]].extent) - 1));
    }
    filled = filled.subtract(isl::manage(isl_set_params(box.subtract(points).release())));
  }
  filled = filled.coalesce();
  if (filled.is_empty()) return std::nullopt;
  const isl::set condition = filled.gist(context.known);
  constexpr int most = 2; // before and behind what is left out
  if (isl_set_n_basic_set(condition.get()) > most) return std::nullopt;
  return toCondition(condition, {});
}

/// Adds what a map stores to the loops of the map before it, where they are the same.
bool joinsLast(TileBlock &block, const TileBlock &step) {
  const TilePoints *last = block.empty() ? nullptr : as<TilePoints>(block.back());
  const TilePoints *next = step.size() == 1 ? as<TilePoints>(step.front()) : nullptr;
  if (!last || !next || !equal(last->dims, next->dims)) return false;
  TilePoints both = *last;
  both.body.insert(both.body.end(), next->body.begin(), next->body.end());
  block.back() = nodeOf(both);
  return true;
}

} // namespace

Bounds enterLoop(PhaseContext &inside, std::size_t k) {
  isl::set all;
  std::vector<isl::set> lines;
  for (const Seated &seated : inside.seats) {
    Axes axes = seated.axes;
    for (std::size_t later = inside.frame.rectangular ? 0 : k; later < inside.rolled.size(); ++later)
      axes[static_cast<std::size_t>(seated.member.rolled[later])] = {"[x]", {}, 0};
    for (const OwnLoop &own : seated.loops) axes[own.dim] = {"[y]", {}, 0};
    const isl::set line = pointSet(seated.equation.domain, axes, {static_cast<unsigned>(seated.member.rolled[k])});
    all = all.is_null() ? line : all.unite(line);
    lines.push_back(line);
  }
  const isl::basic_set hull = isl::manage(isl_set_simple_hull(isl_set_remove_divs(all.copy())));
  const isl::set tiles = tilesThatCount(inside);
  auto [low, high] = boundsAround(isl::set(hull), lines);
  const auto exact = exactBounds(inside, all, tiles);
  if (exact) std::tie(low, high) = *exact;
  const Axis &axis = inside.rolled[k];
  const Expr first = axis.extent == 1
                         ? low
                         : simplify(Expr::make(Op::FloorDiv, Type::Int64, {low, Expr::integer(axis.extent)}) *
                                    Expr::integer(axis.extent));
  const isl::set reached =
      chunksOf(loopOf(isl::set(hull), tiles), chunkMap(inside.frame.scop.context.get(), axis.extent));
  isl::set guaranteed = reached;
  if (const auto least = leastValue(low))
    guaranteed = isl::manage(
        isl_set_lower_bound_si(guaranteed.release(), isl_dim_set, 0, static_cast<int>(*least - *least % axis.extent)));
  inside.known = inside.known.intersect(toParameter(guaranteed, axis.base->name));
  const bool early = !inside.frame.rectangular && isRounded(first);
  return {first, high, neededBeside(isl::set(hull), tiles, early), exact.has_value(), low};
}

Emitted chunkBody(const PhaseContext &context, OnlineRescale &rescale, Hoisting &hoisting) {
  Emitted chunk;
  hoisting.startChunk();
  for (const Seated &seated : context.seats) {
    Emitted step = stepMember(context, seated, rescale, hoisting);
    if (seated.member.role == Member::Role::Map && joinsLast(chunk.body, step.body)) step.body.clear();
    append(chunk, step);
  }
  return chunk;
}

namespace {

/// The chunk; where it may be full and may not, both ways.
Emitted chunk(const PhaseContext &context, OnlineRescale &rescale, Hoisting &hoisting) {
  const std::optional<Expr> condition = fullCondition(context);
  PhaseContext filled = context;
  filled.full = true;
  if (!condition) return chunkBody(context, rescale, hoisting);
  if (condition->op() == Op::Integer && (*condition)->integer != 0) return chunkBody(filled, rescale, hoisting);
  Emitted partial = chunkBody(context, rescale, hoisting);
  Emitted whole = chunkBody(filled, rescale, hoisting);
  Emitted both{partial.before, {nodeOf(TileBranch{*condition, whole.body, partial.body})}, partial.watched};
  whole.body.clear();
  append(both, whole);
  return both;
}

Expr floorOf(Op op, const Expr &a, std::int64_t b) { return Expr::make(op, Type::Int64, {a, Expr::integer(b)}); }

/// Of parts that stand in a grid of two dimensions, one for the outermost of several loops and one for the innermost:
/// how many there are along the second. These are more, as an outermost loop of few turns leaves the others idle.
std::int64_t partsOfInnermost(std::int64_t parts) {
  std::int64_t inner = 1;
  while (inner * inner < 4 * parts) inner *= 2;
  return std::min(inner, parts);
}

/// A part's share of a loop over chunks: on a host a run of neighbours, which memory delivers best.
void takeRun(LoopShare &share, TileLoop &loop) {
  const Expr begin = loop.first;
  const std::int64_t chunks = loop.step * share.count;
  const Expr length =
      floorOf(Op::FloorDiv, loop.limit - begin + Expr::integer(chunks - 1), chunks) * Expr::integer(loop.step);
  loop.first = simplify(begin + Expr::symbol(share.part, Type::Int64) * length);
  loop.limit = simplify(Expr::make(Op::Min, Type::Int64, {loop.limit, loop.first + length}));
  share.first = loop.first;
  share.count = 1;
}

/// On a GPU every `count`-th chunk, as the parts run at once.
void takeTurns(LoopShare &share, TileLoop &loop, const Expr &number, std::int64_t count) {
  share.begins = loop.first;
  loop.first = simplify(loop.first + number * Expr::integer(loop.step));
  loop.step *= count;
  share.first = loop.first;
}

/// Narrows a phase's `k`-th loop to a part's share. On a host the outermost is shared out that is long enough for all,
/// as neighbours lie beside each other in memory; on a GPU the outermost and the innermost, whichever is long: in each
/// turn of the first another part begins with the second.
void takeShare(const PhaseContext &context, std::size_t k, LoopShare &share, TileLoop &loop) {
  if (share.count == 1) return;
  const std::size_t last = context.rolled.size() - 1;
  if (isOnHost(context)) {
    const Expr turns = simplify(loop.limit - loop.first);
    const bool isShort = turns.op() == Op::Integer && turns->integer < share.count * loop.step;
    if (k == last || !isShort) takeRun(share, loop);
    return;
  }
  const Expr part = Expr::symbol(share.part, Type::Int64);
  if (last == 0) return takeTurns(share, loop, part, share.count);
  const std::int64_t inner = partsOfInnermost(share.count), outer = share.count / inner;
  const Axis &outermost = context.rolled.front();
  if (k == 0) takeTurns(share, loop, floorOf(Op::FloorDiv, part, inner), outer);
  if (k == last)
    takeTurns(share, loop,
              floorOf(Op::FloorMod, part + floorOf(Op::FloorDiv, outermost.base, outer * outermost.extent), inner),
              inner);
}

} // namespace

Emitted rolledLoops(const PhaseContext &context, OnlineRescale &rescale, Hoisting &hoisting, std::size_t k) {
  if (k == context.rolled.size()) {
    Emitted innermost = chunk(context, rescale, hoisting);
    innermost.body = whereAnyTakesPart(context, std::move(innermost.body));
    return innermost;
  }
  PhaseContext inside = context;
  TileLoop loop;
  loop.variable = context.rolled[k].base->name;
  loop.step = context.rolled[k].extent;
  const Bounds bounds = enterLoop(inside, k);
  loop.first = bounds.first;
  loop.limit = bounds.limit;
  takeShare(context, k, inside.share, loop);
  const bool isAsked = isl_set_plain_is_universe(bounds.beside.get()) != isl_bool_true;
  if (isAsked) inside.known = inside.known.intersect(bounds.beside);
  Emitted body = rolledLoops(inside, rescale, hoisting, k + 1);
  loop.body = std::move(body.body);
  body.body = {nodeOf(loop)};
  if (isAsked) body.body = {nodeOf(TileBranch{toCondition(bounds.beside, {}), body.body, {}})};
  return body;
}

} // namespace polymend
