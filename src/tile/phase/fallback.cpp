// The producers' final values first, then every element in order, without mends.
#include "fallback.h"

#include "sees_size.h"
#include "values.h"

#include <isl/set.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace polymend {
namespace {

/// The set with the parameters of another in the other's order.
isl::set alignedWith(const isl::set &set, const isl::set &other) {
  return isl::manage(isl_set_align_params(set.copy(), isl_set_get_space(other.get())));
}

/// What holds of a row of the tile that is computed again.
isl::set rowKnown(const PhaseContext &context, const Seated &seated) {
  Axes axes(seated.axes.begin(), seated.axes.begin() + seated.equation.keys);
  std::vector<unsigned> order;
  for (int d : seated.member.rows)
    if (!axes[static_cast<unsigned>(d)].point.empty()) order.push_back(static_cast<unsigned>(d));
  for (unsigned d : seated.extras) axes[d] = {"[x]", {}, 0};
  const isl::set rows = asParameters(pointSet(seated.equation.keyDomain, axes, order), axes, order);
  return rows.intersect(alignedWith(context.frame.known, rows));
}

/// The reductions of this phase that a member waits for and that, like it, read values computed at each element: they
/// are computed again with it, from the same values.
std::vector<const Seated *> fallbackBefore(const PhaseContext &context, const Seated &seated) {
  std::set<int> reached, sharing;
  std::vector<const Seated *> result;
  const std::function<bool(int)> readsInner = [&](int equation) {
    const auto at = std::find_if(context.seats.begin(), context.seats.end(),
                                 [&](const Seated &one) { return one.member.equation == equation; });
    if (at == context.seats.end()) return false;
    if (at->member.role == Member::Role::Inner) return true;
    if (!reached.insert(equation).second) return sharing.contains(equation);
    for (const Operand &operand : at->equation.operands)
      if (operand.equation >= 0 && readsInner(operand.equation)) sharing.insert(equation);
    return sharing.contains(equation);
  };
  if (!readsInner(seated.member.equation)) return {};
  for (const Seated &other : context.seats)
    if (other.member.equation != seated.member.equation && other.member.role == Member::Role::Reduce &&
        sharing.contains(other.member.equation) && !isReplaced(context, other))
      result.push_back(&other);
  return result;
}

/// An inner value at one element, into a scalar, which `element` knows from then on.
TileBlock fallbackInner(PhaseContext &element, const Seated &inner) {
  const Equation &e = inner.equation;
  Axes axes = inner.axes;
  for (std::size_t k = 0; k < element.rolled.size(); ++k)
    axes[static_cast<unsigned>(inner.member.rolled[k])] = element.rolled[k];
  for (const OwnLoop &own : inner.loops) axes[own.dim] = {inner.axes[own.dim].point, {}, 0};
  Seated plain{inner.member, e, axes, {}, {}, {}, {}};
  std::vector<unsigned> fixed, free;
  for (int d : inner.member.rows)
    if (!axes[static_cast<unsigned>(d)].point.empty()) fixed.push_back(static_cast<unsigned>(d));
  for (int d : inner.member.rolled) fixed.push_back(static_cast<unsigned>(d));
  std::vector<unsigned> order = fixed;
  for (unsigned d = e.keys; d < e.dims.size(); ++d) {
    order.push_back(d);
    free.push_back(d);
  }
  TileArray scalar;
  scalar.name = element.frame.unique(e.array + "_fallback");
  scalar.type = e.type;
  scalar.written = true;
  element.frame.tiles.push_back(scalar);
  TileBlock block{TileAssign{{scalar.name, {}}, Update::Set, realize(element, e.initial, plain), {}}};
  std::vector<PointLoops> loops = loopsOver(pointSet(e.domain, axes, order), axes, order, element.frame.known);
  for (PointLoops &part : loops) {
    const auto end = part.dims.begin() + static_cast<std::ptrdiff_t>(fixed.size());
    for (auto dim = part.dims.begin(); loops.size() > 1 && dim != end; ++dim) { // which piece the element lies in
      const Expr at = Expr::symbol(dim->variable, Type::Int64);
      const Expr here =
          Expr::make(Op::And, {Expr::make(Op::Le, {dim->first, at}), Expr::make(Op::Lt, {at, dim->limit})});
      part.outside = part.outside ? Expr::make(Op::And, {part.outside, here}) : here;
    }
    part.dims.erase(part.dims.begin(), end);
  }
  append(block, emitPoints(loops, {{{scalar.name, {}}, updateOf(e, *e.monoid), realize(element, e.value, plain), {}}},
                           0, element.frame.options.reorder));
  element.scalars[inner.member.equation] = scalar.name;
  return block;
}

/// Can the sum end as -0 where the source's, which rounds each product before it adds it to +0, cannot, and is that
/// seen?
bool mayEndBelowZero(const PhaseContext &context, const Seated &seated) {
  const Equation &e = seated.equation;
  const bool fromZero = isZero(e.initial) && !std::signbit(e.initial->real);
  return e.monoid == Monoid::Sum && isFloating(e.type) && fromZero && e.value.op() == Op::Mul &&
         seesSize(context.frame.system, seated.member.equation);
}

/// The member's whole range for one row: a point of the loop at a time, in ascending order, at which every element
/// takes in what is its own. `ofRows`: what holds of the row.
TileBlock fallbackOf(const PhaseContext &context, const Seated &seated, const isl::set &ofRows) {
  const Equation &e = seated.equation;
  const std::string mine = context.frame.homes.at(seated.member.equation).array;
  std::vector<unsigned> rows, rolled;
  for (int d : seated.member.rows) rows.push_back(static_cast<unsigned>(d));
  for (int d : seated.member.rolled) rolled.push_back(static_cast<unsigned>(d));
  Axes axes = seated.axes;
  PhaseContext element = context; // its axes and values are those of one element
  for (std::size_t k = 0; k < rolled.size(); ++k) {
    element.rolled[k] = {context.frame.unique(plainName(context.phase.rolled[k])), {}, 0};
    axes[rolled[k]] = element.rolled[k];
  }
  for (unsigned d : seated.extras)
    axes[d] = {context.frame.unique(plainName(e.dims[d])), {}, seated.axes[d].base ? 0 : seated.axes[d].extent};
  const Seated plain{seated.member, e, axes, seated.extras, {}, seated.extras, {}};
  const Ref target{mine, resultSubscripts(element, plain)};
  const auto keyLoops = [&](const TileAssign &assign, const isl::set &domain, const Axes &at, const isl::set &holds) {
    const isl::set points = alignedWith(pointSet(domain, at, plain.extras), holds);
    return emitPoints(loopsOver(points, at, plain.extras, holds), {assign}, plain.extras.size(), false);
  };
  const Axes ofRow = given(axes, rows), keysOfRow(ofRow.begin(), ofRow.begin() + e.keys);
  TileBlock body =
      keyLoops({target, Update::Set, realize(element, e.initial, plain), {}}, e.keyDomain, keysOfRow, ofRows);
  Axes anyKey = ofRow;
  for (unsigned d : plain.extras) anyKey[d] = {"[x]", {}, 0};
  const isl::set range = alignedWith(pointSet(e.domain, anyKey, rolled), ofRows);
  const PointLoops loops = loopsInOrder(range, anyKey, rolled, ofRows);
  const isl::set within = asParameters(range, anyKey, rolled);
  TileBlock nest;
  for (const Seated &inner : context.seats)
    if (inner.member.role == Member::Role::Inner) append(nest, fallbackInner(element, inner));
  append(nest, keyLoops({target, updateOf(e, *e.monoid), realize(element, e.value, plain), {}}, e.domain,
                        given(ofRow, rolled), within.intersect(alignedWith(ofRows, within))));
  if (loops.inside) nest = {nodeOf(TileBranch{loops.inside, nest, {}})};
  for (std::size_t k = loops.dims.size(); k-- > 0;)
    nest = {nodeOf(
        TileLoop{loops.dims[k].variable, loops.dims[k].first, loops.dims[k].limit, 1, TileLoop::Kind::Serial, nest})};
  if (loops.outside) nest = {nodeOf(TileBranch{loops.outside, nest, {}})};
  append(body, nest);
  if (mayEndBelowZero(context, seated))
    append(body, keyLoops({target, Update::Sum, Expr::real(0, e.type), {}}, e.keyDomain, keysOfRow, ofRows));
  return body;
}

/// Loops over the tile's rows around a block that runs where the row is marked; the others have no mark.
TileBlock markedRows(const PhaseContext &context, const Seated &seated, const std::string &mark, TileBlock body) {
  const Expr marked =
      Expr::make(Op::Ne, {Expr::read(mark, rowSubscripts(context), Type::Int32), Expr::integer(0, Type::Int32)});
  body = {nodeOf(TileBranch{marked, body, {}})};
  Axes axes(seated.axes.begin(), seated.axes.begin() + seated.equation.keys);
  std::vector<unsigned> order;
  for (int d : seated.member.rows)
    if (!axes[static_cast<unsigned>(d)].point.empty()) order.push_back(static_cast<unsigned>(d));
  for (unsigned d : seated.extras) axes[d] = {"[x]", {}, 0};
  TileBlock block;
  for (const PointLoops &loops :
       loopsOver(pointSet(seated.equation.keyDomain, axes, order), axes, order, context.frame.known)) {
    TileBlock nest = body;
    if (loops.inside) nest = {nodeOf(TileBranch{loops.inside, nest, {}})};
    for (std::size_t k = order.size(); k-- > 0;)
      nest = {nodeOf(
          TileLoop{loops.dims[k].variable, loops.dims[k].first, loops.dims[k].limit, 1, TileLoop::Kind::Serial, nest})};
    if (loops.outside) nest = {nodeOf(TileBranch{loops.outside, nest, {}})};
    append(block, nest);
  }
  return block;
}

} // namespace

TileBlock fallbackRow(const PhaseContext &context, const Seated &seated, const std::string &bad) {
  const isl::set ofRows = rowKnown(context, seated);
  TileBlock body;
  for (const Seated *producer : fallbackBefore(context, seated)) append(body, fallbackOf(context, *producer, ofRows));
  append(body, fallbackOf(context, seated, ofRows));
  return markedRows(context, seated, bad, body);
}

} // namespace polymend
