// Where every member fills its box, and in rectangular kernels, regions have constant bounds; else they are read off
// the domain.
#include "regions.h"

#include "values.h"

#include "tile/intervals.h"

#include <isl/constraint.h>
#include <isl/set.h>

#include <algorithm>
#include <optional>

namespace polymend {

TileBlock wrapOwn(const Seated &seated, bool keysOnly, TileBlock body) {
  for (std::size_t k = seated.loops.size(); k-- > 0;) {
    const OwnLoop &own = seated.loops[k];
    if (keysOnly && own.dim >= seated.equation.keys) continue;
    Axes axes = seated.axes;
    axes[own.dim] = {"[x]", {}, 0};
    for (std::size_t other = 0; other < seated.loops.size(); ++other)
      if (other != k) axes[seated.loops[other].dim] = {"[y]", {}, 0};
    if (keysOnly) axes.resize(seated.equation.keys);
    const isl::set &held = keysOnly ? seated.equation.keyDomain : seated.equation.domain;
    const auto [low, high] = boundsOf(pointSet(held, axes, {own.dim}), "x");
    TileLoop loop;
    loop.variable = own.variable;
    loop.step = own.step;
    loop.first =
        simplify(Expr::make(Op::FloorDiv, Type::Int64, {low, Expr::integer(own.step)}) * Expr::integer(own.step));
    loop.limit = keysOnly ? keyExtent(seated.equation, own.dim) : high;
    loop.body = body;
    body = {nodeOf(loop)};
  }
  return body;
}

TileBlock points(const PhaseContext &context, const Seated &seated, const std::vector<unsigned> &order,
                 std::size_t parallel, const std::vector<TileAssign> &body) {
  if (context.frame.rectangular) {
    PointLoops box = boxOf(seated.axes, order);
    if (seated.member.role == Member::Role::Map) box.inside = context.frame.onOwnRows(maskOf(context, seated));
    return emitPoints({box}, body, parallel, context.frame.options.reorder);
  }
  const bool symbolic = std::any_of(order.begin(), order.end(), [&](unsigned d) { return seated.axes[d].extent == 0; });
  if (context.full && !symbolic)
    return emitPoints({boxOf(seated.axes, order)}, body, parallel, context.frame.options.reorder);
  const isl::set inside = pointSet(seated.equation.domain, seated.axes, order);
  const bool adds = order.size() > parallel, reorder = context.frame.options.reorder;
  const auto loops = !adds     ? loopsOver(inside, seated.axes, order, context.known)
                     : reorder ? summedLoops(inside, seated.axes, order, context.known)
                               : sortedLoops(inside, seated.axes, order, parallel, context.known);
  return emitPoints(loops, body, parallel, reorder);
}

TileBlock keyPoints(const PhaseContext &context, const Seated &seated, const std::vector<TileAssign> &body,
                    bool perRow) {
  const unsigned keys = seated.equation.keys;
  const Axes axes(seated.axes.begin(), seated.axes.begin() + keys);
  std::vector<unsigned> order;
  for (unsigned d : seated.parallel)
    if (d < keys) order.push_back(d);
  const bool inner = seated.member.role == Member::Role::Inner;
  TileBlock block;
  if (context.frame.rectangular || (inner && context.full && seated.loops.empty()))
    block = emitPoints({boxOf(axes, order)}, body, perRow ? rowSubscripts(context).size() : order.size(), true);
  else
    block = emitPoints(loopsOver(pointSet(seated.equation.keyDomain, axes, order), axes, order,
                                 inner ? context.known : context.frame.known),
                       body, perRow ? rowSubscripts(context).size() : order.size(), true);
  return wrapOwn(seated, true, block);
}

TileBlock rowPoints(const PhaseContext &context, const Seated &seated, const std::vector<TileAssign> &body) {
  Axes axes(seated.axes.begin(), seated.axes.begin() + seated.equation.keys);
  std::vector<unsigned> order;
  for (int d : seated.member.rows)
    if (!axes[static_cast<unsigned>(d)].point.empty()) order.push_back(static_cast<unsigned>(d));
  if (context.frame.rectangular) return emitPoints({boxOf(axes, order)}, body, order.size(), true);
  for (unsigned d : seated.extras) axes[d] = {"[x]", {}, 0};
  return emitPoints(loopsOver(pointSet(seated.equation.keyDomain, axes, order), axes, order, context.frame.known), body,
                    order.size(), true);
}

TileBlock joined(const PhaseContext &context, TileBlock first, const TileBlock &second) {
  const TilePoints *a = first.empty() ? nullptr : as<TilePoints>(first.back());
  const TilePoints *b = second.empty() ? nullptr : as<TilePoints>(second.front());
  const bool same = a && b && context.frame.rectangular &&
                    std::equal(a->dims.begin(), a->dims.end(), b->dims.begin(), b->dims.end(),
                               [](const PointDim &x, const PointDim &y) {
                                 return x.variable == y.variable && x.kind == y.kind && equal(x.first, y.first) &&
                                        equal(x.limit, y.limit);
                               });
  if (!same) {
    append(first, second);
    return first;
  }
  TilePoints both = *a;
  both.body.insert(both.body.end(), b->body.begin(), b->body.end());
  first.back() = nodeOf(std::move(both));
  first.insert(first.end(), second.begin() + 1, second.end());
  return first;
}

Expr stored(const PhaseContext &context, const Seated &seated, bool rowsAlone) {
  if (!context.frame.rectangular) return {};
  const unsigned keys = seated.equation.keys;
  const Axes axes(seated.axes.begin(), seated.axes.begin() + keys);
  std::vector<unsigned> order;
  DimNames names;
  for (unsigned d : seated.parallel) {
    if (d >= keys || (rowsAlone && !has(seated.member.rows, d))) continue;
    order.push_back(d);
    names.push_back(axes[d].local());
  }
  const isl::set inside = pointSet(seated.equation.keyDomain, axes, order);
  isl::set box = isl::manage(isl_set_universe(isl_set_get_space(inside.get())));
  for (unsigned k = 0; k < order.size(); ++k) {
    const auto row = std::find(seated.member.rows.begin(), seated.member.rows.end(), static_cast<int>(order[k]));
    const auto number = static_cast<std::size_t>(row - seated.member.rows.begin());
    const std::int64_t extent =
        row == seated.member.rows.end() ? axes[order[k]].extent : context.frame.rows[number].own;
    box = isl::manage(isl_set_lower_bound_si(box.release(), isl_dim_set, k, 0));
    box = isl::manage(isl_set_upper_bound_si(box.release(), isl_dim_set, k, static_cast<int>(extent) - 1));
  }
  isl::set outside = isl::manage(isl_set_align_params(context.frame.known.copy(), isl_set_get_space(box.get())));
  box = isl::manage(isl_set_align_params(box.release(), isl_set_get_space(outside.get())));
  box = isl::manage(isl_set_intersect_params(box.release(), isl_set_params(outside.release())));
  const isl::set aligned = isl::manage(isl_set_align_params(inside.copy(), isl_set_get_space(box.get())));
  if (box.is_subset(aligned)) return context.frame.onOwnRows({});
  return context.frame.onOwnRows(simplify(toCondition(aligned.gist(box).coalesce(), names)));
}

isl::set missing(const PhaseContext &context, const Seated &seated) {
  const Equation &e = seated.equation;
  const std::vector<unsigned> order = seated.order();
  const bool map = seated.member.role == Member::Role::Map;
  isl_set *keys = isl_set_reset_tuple_id(
      isl_set_add_dims(e.keyDomain.copy(), isl_dim_set, static_cast<unsigned>(e.dims.size()) - e.keys));
  isl::set wanted = isl::manage(keys);
  isl::set domain = isl::manage(isl_set_reset_tuple_id(e.domain.copy()));
  if (map) wanted = isl::manage(isl_set_universe(isl_set_get_space(domain.get())));
  isl::set box = pointSet(wanted, seated.axes, order);
  isl::set inside = pointSet(domain, seated.axes, order);
  const isl::set around = isl::manage(isl_set_align_params(context.known.copy(), isl_set_get_space(box.get())));
  box = isl::manage(isl_set_align_params(box.release(), isl_set_get_space(around.get())));
  box = isl::manage(isl_set_intersect_params(box.release(), isl_set_params(around.copy())));
  return box.subtract(inside);
}

namespace {

/// The part without a constraint; absent: it has no more than so many.
std::optional<isl::basic_set> withoutConstraint(const isl::basic_set &part, int number) {
  isl_constraint_list *list = isl_basic_set_get_constraint_list(part.get());
  const int count = isl_constraint_list_n_constraint(list);
  isl_basic_set *rest = isl_basic_set_universe(isl_basic_set_get_space(part.get()));
  for (int i = 0; i < count; ++i)
    if (i != number) rest = isl_basic_set_add_constraint(rest, isl_constraint_list_get_constraint(list, i));
  isl_constraint_list_free(list);
  const isl::basic_set result = isl::manage(rest);
  return number < count ? std::optional(result) : std::nullopt;
}

/// A set of several parts, which may overlap then: none has a constraint that only keeps it off the others. What is not
/// in `all` does not matter.
isl::set inLoosestParts(const isl::set &set, const isl::set &all) {
  if (isl_set_n_basic_set(set.get()) < 2) return set;
  const isl::set wanted = set.intersect(all);
  isl::set result = isl::manage(isl_set_empty(isl_set_get_space(set.get())));
  set.foreach_basic_set([&](isl::basic_set part) {
    const bool isPlain = isl_basic_set_dim(part.get(), isl_dim_div) == 0;
    for (int k = 0; isPlain;) {
      const auto looser = withoutConstraint(part, k);
      if (!looser) break;
      if (isl::set(*looser).intersect(all).is_subset(wanted))
        part = *looser;
      else
        ++k;
    }
    result = result.unite(isl::set(part));
  });
  return result;
}

/// The mask of a member whose domain has many parts, in which each row has one interval of a rolled dimension, as that:
/// two comparisons with ends that are known once a row. `all` are the points that may be asked. Absent: it has others.
std::optional<Expr> asInterval(const PhaseContext &context, const Seated &seated, const isl::set &all,
                               const DimNames &local) {
  const isl::set domain = isl::manage(isl_set_reset_tuple_id(seated.equation.domain.copy()));
  DimNames names;
  for (const Axis &axis : seated.axes) names.push_back(axis.global());
  std::optional<Expr> partly;
  for (const int rolled : seated.member.rolled) {
    const auto dim = static_cast<unsigned>(rolled);
    const isl::set rows = isl::manage(isl_set_insert_dims(projectOut(domain, dim, 1).release(), isl_dim_set, dim, 1));
    isl::set own = pointSet(rows, seated.axes, seated.order());
    own = isl::manage(isl_set_align_params(own.release(), isl_set_get_space(all.get())));
    const bool isWhole = all.is_subset(own);
    if (!isWhole && partly) continue;
    const auto ends = intervalAlong(domain, dim, rows.intersect_params(context.frame.scop.assumptions), names);
    if (!ends) continue;
    const Expr within = Expr::make(
        Op::And, {Expr::make(Op::Le, {ends->first, names[dim]}), Expr::make(Op::Le, {names[dim], ends->last})});
    if (isWhole) return within;
    partly = Expr::make(Op::And, {toCondition(inLoosestParts(own.gist(all).coalesce(), all), local), within});
  }
  return partly;
}

} // namespace

Expr maskOf(const PhaseContext &context, const Seated &seated) {
  if (context.full) return {};
  const isl::set outside = missing(context, seated).coalesce();
  if (outside.is_empty()) return {};
  const std::vector<unsigned> order = seated.order();
  isl::set inside = pointSet(seated.equation.domain, seated.axes, order);
  inside = isl::manage(isl_set_align_params(inside.release(), isl_set_get_space(outside.get())));
  const isl::set all = inside.unite(isl::manage(isl_set_align_params(outside.copy(), isl_set_get_space(inside.get()))));
  DimNames names;
  for (unsigned d : order) names.push_back(seated.axes[d].local());
  constexpr int many = 3;
  const isl::set counted = inside.gist(all).coalesce();
  if (context.frame.relaxed.positions && isl_set_n_basic_set(counted.get()) >= many)
    if (const auto interval = asInterval(context, seated, all, names)) return simplify(*interval);
  return simplify(toCondition(inLoosestParts(counted, all), names));
}

} // namespace polymend
