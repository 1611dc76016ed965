// A phase is a loop nest over chunks of its rolled dimensions. Bounds come from the union of the members' domains, so
// chunks that no member needs are not visited; a chunk that every member fills runs with constant bounds.
#include "tile/phase.h"
#include "tile/equal.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {

std::vector<unsigned> Seated::order() const {
  std::vector<unsigned> all = parallel;
  all.insert(all.end(), reduced.begin(), reduced.end());
  return all;
}

std::pair<Expr, Expr> boundsOf(const isl::set &line, const std::string &name) {
  const isl::basic_set hull = isl::manage(isl_set_simple_hull(isl_set_remove_divs(line.copy())));
  const ScanBounds bounds =
      scan(hull, {Expr::symbol(name, Type::Int64)}, isl::manage(isl_set_universe(isl_set_get_space(line.get()))));
  return {lowest(bounds.dims[0]), highest(bounds.dims[0])};
}

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

/// The tiles in which the kernel has a row to compute; of what is computed in others nobody reads anything.
isl::set tilesOf(const KernelFrame &frame) {
  Axes axes;
  for (const RowAxis &row : frame.rows) axes.push_back(row.axis);
  return isl::manage(isl_set_params(pointSet(frame.plan.domain, axes, {}).release()));
}

/// What is known in a loop over the points of `line`: a condition that does not bound them is no part of it, unless it
/// holds for all `tiles`.
isl::set loopOf(const isl::set &line, const isl::set &tiles) {
  const isl::set others = isl::manage(isl_set_drop_constraints_involving_dims(line.copy(), isl_dim_set, 0, 1)).params();
  if (tiles.is_subset(others)) return line;
  return isl::manage(isl_set_drop_constraints_not_involving_dims(line.copy(), isl_dim_set, 0, 1));
}

/// Bounds of a union of lines: those of its hull; where it has none, as no line's bound serves for all, the outermost
/// of the lines'.
std::pair<Expr, Expr> boundsAround(const isl::set &hull, const std::vector<isl::set> &lines) {
  auto [low, high] = boundsOf(hull, "x");
  const auto outermost = [&](Op op, bool upper) {
    Expr all;
    for (const isl::set &line : lines) {
      const auto [first, limit] = boundsOf(line, "x");
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

/// { [x] -> [j] : j <= x < j + chunk }
isl::map chunkMap(isl_ctx *ctx, std::int64_t chunk) {
  const std::string text = "{ [x] -> [j] : j <= x < j + " + std::to_string(chunk) + " }";
  return isl::manage(isl_map_read_from_str(ctx, text.c_str()));
}

} // namespace

PhaseLowerer::PhaseLowerer(KernelFrame &kernel, const Phase &source)
    : frame(kernel), phase(source), known(kernel.known) {
  for (std::size_t k = 0; k < phase.rolled.size(); ++k) {
    const std::string name = plainName(phase.rolled[k]);
    Axis axis;
    axis.extent = phase.chunks[k];
    const std::string loop = frame.unique(axis.extent == 1 ? name : name + "0");
    axis.base = Expr::symbol(loop, Type::Int64);
    phaseVariables.insert(loop);
    if (axis.extent > 1) {
      axis.point = frame.unique(name);
      phaseVariables.insert(axis.point);
    }
    rolledAxes.push_back(axis);
  }
  seats.reserve(phase.members.size());
  for (const Member &member : phase.members) seat(member);
}

void PhaseLowerer::seat(const Member &member) {
  const Equation &e = frame.equation(member.equation);
  Seated seated{member, e, Axes(e.dims.size()), {}, {}, {}, {}};
  for (unsigned d = 0; d < e.dims.size(); ++d) {
    const auto row = std::find(member.rows.begin(), member.rows.end(), static_cast<int>(d)) - member.rows.begin();
    const auto rolled =
        std::find(member.rolled.begin(), member.rolled.end(), static_cast<int>(d)) - member.rolled.begin();
    if (row < static_cast<std::ptrdiff_t>(member.rows.size()))
      seated.axes[d] = frame.rows[static_cast<std::size_t>(row)].axis;
    else if (rolled < static_cast<std::ptrdiff_t>(member.rolled.size()))
      seated.axes[d] = rolledAxes[static_cast<std::size_t>(rolled)];
    else {
      seated.axes[d] = ownAxis(seated, d);
      if (d < e.keys) seated.extras.push_back(d);
    }
  }
  for (int d : member.rows)
    if (!seated.axes[static_cast<unsigned>(d)].point.empty()) seated.parallel.push_back(static_cast<unsigned>(d));
  auto &rolledOrder = member.role == Member::Role::Inner ? seated.parallel : seated.reduced;
  for (int d : member.rolled)
    if (!seated.axes[static_cast<unsigned>(d)].point.empty()) rolledOrder.push_back(static_cast<unsigned>(d));
  for (unsigned d : seated.extras)
    if (!seated.axes[d].point.empty()) seated.parallel.push_back(d);
  for (unsigned d = e.keys; d < e.dims.size(); ++d)
    if (std::find(member.rolled.begin(), member.rolled.end(), static_cast<int>(d)) == member.rolled.end() &&
        !seated.axes[d].point.empty())
      seated.reduced.push_back(d);
  seats.push_back(seated);
}

/// A dimension that only this member has: whole when its extent is a small constant, else in chunks (whole for maps,
/// and where chunks would change the order in which a sum over several dimensions takes its terms).
Axis PhaseLowerer::ownAxis(Seated &seated, unsigned dim) {
  constexpr std::int64_t largest = 256, chunk = 64;
  const Equation &e = seated.equation;
  const std::string name = plainName(e.dims[dim]);
  Axis axis;
  axis.point = frame.unique(name);
  const bool map = seated.member.role == Member::Role::Map;
  const bool unbroken = map || (!frame.options.reorder && dim >= e.keys && e.reduced() > 1);
  isl_val *high = isl_set_dim_max_val(e.domain.copy(), static_cast<int>(dim));
  isl_val *low = isl_set_dim_min_val(e.domain.copy(), static_cast<int>(dim));
  const bool constant = isl_val_is_int(high) == isl_bool_true && isl_val_is_int(low) == isl_bool_true &&
                        !isl_val_is_neg(low) && isl_val_get_num_si(high) < largest;
  axis.extent = constant ? isl_val_get_num_si(high) + 1 : unbroken ? 0 : chunk;
  isl_val_free(high);
  isl_val_free(low);
  if (constant || unbroken) return axis;
  const std::string loop = frame.unique(name + "0");
  axis.base = Expr::symbol(loop, Type::Int64);
  seated.loops.push_back({dim, loop, {}, {}, chunk});
  return axis;
}

Seated &PhaseLowerer::seatOf(int equation) {
  return *std::find_if(seats.begin(), seats.end(), [&](const Seated &s) { return s.member.equation == equation; });
}

/// Bounds of the k-th rolled loop, for all turns of those inside it (boxed: of all others), and what they guarantee of
/// its variable.
void PhaseLowerer::bindRolled(std::size_t k, Expr &first, Expr &limit) {
  isl::set all;
  std::vector<isl::set> lines;
  for (const Seated &seated : seats) {
    Axes axes = seated.axes;
    for (std::size_t later = frame.boxed ? 0 : k; later < rolledAxes.size(); ++later)
      axes[static_cast<std::size_t>(seated.member.rolled[later])] = {"x", {}, 0};
    for (const OwnLoop &own : seated.loops) axes[own.dim] = {"y", {}, 0};
    const isl::set line = pointSet(seated.equation.domain, axes, {static_cast<unsigned>(seated.member.rolled[k])});
    all = all.is_null() ? line : all.unite(line);
    lines.push_back(line);
  }
  const isl::basic_set hull = isl::manage(isl_set_simple_hull(isl_set_remove_divs(all.copy())));
  const auto [low, high] = boundsAround(isl::set(hull), lines);
  const Axis &axis = rolledAxes[k];
  first = axis.extent == 1 ? low
                           : simplify(Expr::make(Op::FloorDiv, Type::Int64, {low, Expr::integer(axis.extent)}) *
                                      Expr::integer(axis.extent));
  limit = high;
  const isl::set reached =
      loopOf(isl::set(hull), known.intersect(tilesOf(frame))).apply(chunkMap(frame.scop.context.get(), axis.extent));
  isl::set guaranteed = reached;
  if (const auto least = leastValue(low))
    guaranteed = isl::manage(
        isl_set_lower_bound_si(guaranteed.release(), isl_dim_set, 0, static_cast<int>(*least - *least % axis.extent)));
  known = known.intersect(toParameter(guaranteed, axis.base->name));
}

/// The condition that every member fills its whole box in this chunk; absent: never, or too hard to say.
std::optional<Expr> PhaseLowerer::fullCondition() {
  isl::set filled = known;
  for (const Seated &seated : seats) {
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
  const isl::set condition = filled.gist(known);
  if (isl_set_n_basic_set(condition.get()) > 1) return std::nullopt;
  return toCondition(condition, {});
}

namespace {

/// Adds what a map stores to the loops of the map before it, where they are the same.
bool joinsLast(TileBlock &block, const TileBlock &step) {
  const TilePoints *last = block.empty() ? nullptr : regionOf(block.back());
  const TilePoints *next = step.size() == 1 ? regionOf(step.front()) : nullptr;
  if (!last || !next || !equal(last->dims, next->dims)) return false;
  TilePoints both = *last;
  both.body.insert(both.body.end(), next->body.begin(), next->body.end());
  block.back() = std::make_shared<const TilePoints>(both);
  return true;
}

} // namespace

TileBlock PhaseLowerer::chunkBody() {
  TileBlock block;
  for (Outlined &outlined : outlines) outlined.done = false;
  for (const Seated &seated : seats) {
    const TileBlock step = stepMember(seated);
    if (seated.member.role != Member::Role::Map || !joinsLast(block, step)) append(block, step);
  }
  return block;
}

TileBlock PhaseLowerer::roll(std::size_t k) {
  if (k == rolledAxes.size()) {
    const std::optional<Expr> condition = fullCondition();
    if (condition && condition->op() == Op::Integer && (*condition)->integer != 0) {
      full = true;
      TileBlock whole = chunkBody();
      full = false;
      return whole;
    }
    TileBlock partial = chunkBody();
    if (!condition) return partial;
    full = true;
    TileBlock whole = chunkBody();
    full = false;
    return {std::make_shared<const TileBranch>(TileBranch{*condition, whole, partial})};
  }
  TileLoop loop;
  loop.variable = rolledAxes[k].base->name;
  loop.step = rolledAxes[k].extent;
  bindRolled(k, loop.first, loop.limit);
  if (partCount > 1) {
    loop.first = simplify(loop.first + Expr::symbol(partVariable, Type::Int64) * Expr::integer(loop.step));
    loop.step *= partCount;
  }
  loop.body = roll(k + 1);
  return {std::make_shared<const TileLoop>(loop)};
}

TileBlock PhaseLowerer::run() {
  TileBlock block;
  for (const Seated &seated : seats) beginMember(seated);
  TileBlock body;
  if (phase.rolled.empty()) {
    body = chunkBody();
  } else {
    body = roll(0);
  }
  TileBlock after;
  for (const Seated &seated : seats) {
    TileBlock end = endMember(seated);
    after.insert(after.end(), end.begin(), end.end());
  }
  block.insert(block.end(), prologue.begin(), prologue.end());
  block.insert(block.end(), body.begin(), body.end());
  block.insert(block.end(), after.begin(), after.end());
  return block;
}

} // namespace polymend
