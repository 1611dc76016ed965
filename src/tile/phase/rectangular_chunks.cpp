// Boxed kernels: every region is a box of constant extents, as matrix units and copy engines want it. Chunks inside
// the domain run without a guard; in the others, what lies outside is guarded (reductions), zero (operands of
// products) or simply not stored (dimensions that stay parallel to the store).
#include "rectangular_chunks.h"

#include "chunk_runs.h"
#include "regions.h"
#include "turns.h"

#include "polymend/points.h"

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

/// The chunks that need no mask, from the points that are missing at any turn of the loops beside them.
void boundFullChunks(const PhaseContext &context, ChunkLoop &loop) {
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
  if (line.is_empty() || isl_set_n_basic_set(line.get()) != 1) return;
  const isl::basic_set part = isl::manage(isl_set_simple_hull(isl_set_remove_divs(line.copy())));
  const isl::set around = parameterAsDimension(context.known, loop.variable);
  const ScanBounds bounds = scan(part, {Expr::symbol(loop.variable, Type::Int64)}, around);
  const auto upward = [&](const Expr &value) { return loop.first + upTo(value - loop.first, loop.step); };
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
  loop.first = bounds.first;
  loop.limit = bounds.limit;
  loop.isDense = isDense(context, loop, main);
  inside.share.first = shareOut(loop);
  const std::vector<Turns> others = otherTurns(inside, main);
  PhaseContext filled = inside;
  filled.full = true;
  Emitted chunks = chunkBody(filled, rescale, hoisting);
  loop.full = chunks.body;
  boundFullChunks(inside, loop);
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
  else if (const auto runs = context.share.part.empty() ? inRuns(context, loop, result.phase.lets) : std::nullopt)
    loop = *runs;
  result.phase.loop = loop;
  result.phase.before = chunks.before;
  result.watched = chunks.watched;
  return result;
}

} // namespace polymend
