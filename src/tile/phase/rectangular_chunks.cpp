// Boxed kernels: every region is a box of constant extents, as matrix units and copy engines want it. Chunks inside
// the domain run without a guard; in the others, what lies outside is guarded (reductions), zero (operands of
// products) or simply not stored (dimensions that stay parallel to the store).
#include "rectangular_chunks.h"

#include "chunk_runs.h"
#include "regions.h"
#include "turns.h"

#include "polymend/points.h"
#include "tile/intervals.h"

#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// `value` rounded up to a multiple of `step`.
Expr upTo(const Expr &value, std::int64_t step) {
  return Expr::make(Op::FloorDiv, Type::Int64, {value + Expr::integer(step - 1), Expr::integer(step)}) *
         Expr::integer(step);
}

/// One past the last chunk's last point.
Expr chunksEnd(const ChunkLoop &loop) { return loop.first + upTo(loop.limit - loop.first, loop.step); }

Expr clamp(const Expr &value, const Expr &low, const Expr &high) {
  return Expr::make(Op::Min, Type::Int64, {Expr::make(Op::Max, Type::Int64, {value, low}), high});
}

bool boxable(const Seated &seated) {
  const auto constant = [&](unsigned d) { return seated.axes[d].extent > 0; };
  const std::vector<unsigned> order = seated.order();
  return seated.loops.empty() && std::all_of(order.begin(), order.end(), constant);
}

/// How many chunks there are between two bounds at large sizes, far from the first tile; absent: it is no number.
std::optional<std::int64_t> usualChunks(const PhaseContext &context, const Expr &first, const Expr &limit,
                                        std::int64_t chunk) {
  constexpr std::int64_t size = 1 << 20, sizes = size << 6; // residues of a row have few of its elements each
  const auto number = [&](const std::string &name) {
    for (unsigned r = 0; r < context.frame.rows.size(); ++r) {
      const RowAxis &row = context.frame.rows[r];
      if (row.grid != name) continue;
      const auto few = row.own == 1 ? constantExtent(context.frame.plan.domain, r) : std::nullopt;
      return Expr::integer(few ? std::min(*few, size) / 2 : size / 2 / std::max<std::int64_t>(row.own, 1));
    }
    return Expr::integer(sizes);
  };
  const auto at = [&](const Expr &bound) { return simplify(substitute(bound, number)); };
  const Expr count = simplify(
      Expr::make(Op::FloorDiv, Type::Int64, {at(limit) - at(first) + Expr::integer(chunk - 1), Expr::integer(chunk)}));
  return count.op() == Op::Integer ? std::optional(count->integer) : std::nullopt;
}

/// Where the chunks of a loop begin: at a multiple of their length, which keeps those that need no mask whole, unless
/// fewer reach from its own first point on.
Expr firstOf(const PhaseContext &context, const Bounds &bounds, std::int64_t chunk) {
  if (!bounds.inPieces && (!context.frame.relaxed.positions || !bounds.low)) return bounds.first;
  const auto rounded = usualChunks(context, bounds.first, bounds.limit, chunk),
             own = usualChunks(context, bounds.low, bounds.limit, chunk);
  return rounded && own && *own < *rounded ? bounds.low : bounds.first;
}

/// Gives a value a name, which is computed once for a point of the grid.
using Naming = std::function<Expr(const std::string &what, const Expr &value)>;

/// As boundFullChunks, where chunks that need no mask are one run of neighbours for each tile that has any, though with
/// ends in pieces.
void boundFullByEnds(const isl::set &filled, const isl::set &around, const Expr &chunksEnd, const Naming &named,
                     ChunkLoop &loop) {
  const isl::set line = coalesced(filled.intersect(around));
  const isl::set simple = isl::manage(isl_set_remove_divs(line.copy()));
  const isl::set plain = simple.is_equal(line) ? simple : line;
  const isl::set tiles = plain.params();
  const auto ends = intervalAlong(plain, 0, around.intersect_params(tiles), symbolsOf({loop.variable}));
  if (!ends) return;
  const Expr end = named("_end", chunksEnd);
  const auto upward = [&](const Expr &value) { return loop.first + upTo(value - loop.first, loop.step); };
  const Expr first = named("_full_first", simplify(clamp(upward(ends->first), loop.first, end)));
  Expr limit = simplify(clamp(upward(ends->last + Expr::integer(1)), first, end));
  const isl::set any = tiles.gist(around.params());
  if (isl_set_plain_is_universe(any.get()) != isl_bool_true)
    limit = Expr::make(Op::Select, Type::Int64, {toCondition(any, {}), limit, first});
  loop.fullFirst = first;
  loop.fullLimit = named("_full_limit", limit);
}

/// The chunks that need no mask, from the points that are missing at any turn of the loops beside them.
void boundFullChunks(const PhaseContext &context, const Naming &named, ChunkLoop &loop) {
  isl::set filled = context.known;
  for (const Seated &seated : context.seats) {
    isl::set lacking = isl::manage(isl_set_params(missing(context, seated).release()));
    lacking = isl::manage(isl_set_align_params(lacking.release(), isl_set_get_space(filled.get())));
    filled = isl::manage(isl_set_align_params(filled.release(), isl_set_get_space(lacking.get()))).subtract(lacking);
  }
  filled = atEveryTurn(context, filled, loop.variable);
  const isl::set line = parameterAsDimension(filled.coalesce(), loop.variable);
  const Expr end = simplify(chunksEnd(loop));
  loop.fullFirst = loop.fullLimit = end;
  const isl::set around = parameterAsDimension(context.known, loop.variable);
  const auto upward = [&](const Expr &value) { return loop.first + upTo(value - loop.first, loop.step); };
  if (context.frame.relaxed.positions && isl_set_n_basic_set(line.get()) > 1)
    return boundFullByEnds(line, around.intersect_params(context.frame.scop.assumptions), end, named, loop);
  if (line.is_empty() || isl_set_n_basic_set(line.get()) != 1) return;
  const isl::basic_set part = isl::manage(isl_set_simple_hull(isl_set_remove_divs(line.copy())));
  const ScanBounds bounds = scan(part, {Expr::symbol(loop.variable, Type::Int64)}, around);
  const Expr low = lowest(bounds.dims[0]), high = highest(bounds.dims[0]);
  loop.fullFirst = simplify(low ? clamp(upward(low), loop.first, end) : loop.first);
  loop.fullLimit = simplify(high ? clamp(upward(high), loop.fullFirst, end) : end);
  if (bounds.rest) loop.fullLimit = Expr::make(Op::Select, Type::Int64, {bounds.rest, loop.fullLimit, loop.fullFirst});
}

/// The points of a member's loop over chunks, at any row of the tile.
isl::set lineOf(const PhaseContext &context, const Seated &seated, std::size_t main) {
  Axes axes = seated.axes;
  const auto at = static_cast<unsigned>(seated.member.rolled[main]);
  axes[at] = {"[x]", {}, 0};
  return pointSet(seated.equation.domain, axes, {at});
}

/// Does every member of the only loop run at each point from the first chunk's first to the last of any member?
bool isDense(const PhaseContext &context, const ChunkLoop &loop, std::size_t main) {
  if (context.rolled.size() != 1 || loop.first.op() != Op::Integer || loop.first->integer < 0) return false;
  isl::set all;
  for (const Seated &seated : context.seats) {
    const isl::set line = lineOf(context, seated, main);
    all = all.is_null() ? line : all.unite(line);
  }
  const std::string first = std::to_string(loop.first->integer);
  const isl::map below(context.frame.scop.context.get(), "{ [y] -> [x] : " + first + " <= x <= y }");
  const isl::set reached = all.apply(below);
  return std::ranges::all_of(context.seats,
                             [&](const Seated &seated) { return reached.is_subset(lineOf(context, seated, main)); });
}

/// Bounds of all rolled loops but one.
std::vector<Turns> otherTurns(PhaseContext &inside, std::size_t main) {
  std::vector<Turns> others;
  for (std::size_t k = 0; k < inside.rolled.size(); ++k) {
    if (k == main) continue;
    const Bounds bounds = enterLoop(inside, k);
    others.push_back({inside.rolled[k].base->name, bounds.first, bounds.limit});
  }
  return others;
}

} // namespace

bool isBoxable(const PhaseContext &context) { return std::all_of(context.seats.begin(), context.seats.end(), boxable); }

RectangularChunks rectangularChunks(const PhaseContext &context, OnlineRescale &rescale, Hoisting &hoisting,
                                    const std::function<Expr(ChunkLoop &)> &shareOut) {
  RectangularChunks result;
  if (context.rolled.empty()) {
    const Emitted only = chunkBody(context, rescale, hoisting);
    result.phase.before = only.before;
    result.phase.after = only.body;
    result.watched = only.watched;
    return result;
  }
  PhaseContext inside = context;
  const std::size_t main = chunkedAxis(context);
  ChunkLoop loop;
  loop.variable = context.rolled[main].base->name;
  loop.step = context.rolled[main].extent;
  const Bounds bounds = enterLoop(inside, main);
  const Naming named = [&](const std::string &what, const Expr &value) {
    if (!bounds.inPieces || value.op() == Op::Integer || value.op() == Op::Symbol) return value;
    result.phase.lets.emplace_back(context.frame.unique(loop.variable + what), value);
    return Expr::symbol(result.phase.lets.back().first, Type::Int64);
  };
  const Expr first =
      context.share.inParts || !context.share.part.empty() ? bounds.first : firstOf(context, bounds, loop.step);
  const bool isRounded = equal(first, bounds.first);
  loop.first = named("_first", first);
  loop.limit = named("_limit", bounds.limit);
  loop.isDense = isDense(context, loop, main);
  inside.share.first = shareOut(loop);
  const std::vector<Turns> others = otherTurns(inside, main);
  PhaseContext filled = inside;
  filled.full = true;
  Emitted chunks = chunkBody(filled, rescale, hoisting);
  loop.full = chunks.body;
  boundFullChunks(inside, named, loop);
  const bool allFull = equal(loop.fullFirst, loop.first) && equal(loop.fullLimit, simplify(chunksEnd(loop)));
  if (!allFull) {
    const Emitted masked = chunkBody(inside, rescale, hoisting);
    append(chunks, masked);
    loop.masked = masked.body;
  } else {
    loop.masked = loop.full;
  }
  if (!others.empty())
    loop = flattened(context, loop, others, result.phase.lets);
  else if (const auto runs =
               context.share.part.empty() && isRounded ? inRuns(context, loop, result.phase.lets) : std::nullopt)
    loop = *runs;
  result.phase.loop = loop;
  result.phase.before = chunks.before;
  result.watched = chunks.watched;
  return result;
}

} // namespace polymend
