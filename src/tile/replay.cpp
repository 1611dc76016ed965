// Rows whose producers, results or divisors are exceptional are computed again as the source does: the producers'
// final values first, then every element in order, without mends. One test per row decides.
#include "tile/phase.h"

#include <isl/set.h>

#include <algorithm>
#include <functional>

namespace polymend {
namespace {

/// The least size of what a state is divided by at the end: below it, what underflows in the state would be seen in the
/// result.
Expr leastDivisor(Type type) {
  constexpr double ofFloats = 0x1p-60, ofDoubles = 0x1p-500;
  return type == Type::Float64 ? Expr::real(ofDoubles, type) : Expr::real(ofFloats, Type::Float32);
}

/// The set with the parameters of another in the other's order.
isl::set alignedWith(const isl::set &set, const isl::set &other) {
  return isl::manage(isl_set_align_params(set.copy(), isl_set_get_space(other.get())));
}

} // namespace

Expr markUnless(const Expr &regular) {
  return Expr::make(Op::Select, Type::Int32, {regular, Expr::integer(0, Type::Int32), Expr::integer(1, Type::Int32)});
}

/// Marks the rows that are exceptional: `rows` is how what is asked of a row meets the mark; `values`: whether the
/// elements of the result are looked at.
TileBlock PhaseLowerer::markOdd(const Seated &seated, const std::string &bad, Update rows, bool values) {
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  const std::map<std::string, Expr> bound = bindings(seated, nullptr, nullptr);
  const Ref mark{bad, rowSubscripts()};
  Expr regular;
  const auto require = [&](const Expr &condition) {
    regular = regular ? Expr::make(Op::And, {regular, condition}) : condition;
  };
  const auto requireDivisor = [&](const Expr &base) {
    const Expr size = Expr::make(Op::Abs, base.type(), {base});
    require(isFinite(base));
    require(Expr::make(Op::Le, {leastDivisor(base.type()), size}));
  };
  for (int producer : mended.producers) {
    if (steadyProducer(frame.relaxed, producer)) continue;
    const Expr last = valueAt(producer, {});
    require(frame.boundedParts ? isModerate(last) : isFinite(last));
  }
  if (mended.correction.moves) {
    const PivotGroup &group = pivotGroup(seated);
    for (std::size_t k = 0; k < group.nexts.size(); ++k) {
      const Type type = frame.equation(group.producers[k]).type;
      require(Expr::make(Op::Eq, {Expr::read(group.nexts[k], rowSubscripts(), type), valueAt(group.producers[k], {})}));
    }
  }
  for (const Expr &e : mended.correction.singular) requireDivisor(realize(e, seated, bound));
  TileBlock block;
  if (regular || rows == Update::Set)
    block = rowPoints(seated, {{mark, rows, markUnless(regular ? regular : Expr::integer(1, Type::Bool)), {}}});
  if (!values) return block;
  const Ref result = resultOf(seated, states.at(seated.member.equation)[0]);
  const Expr value = Expr::read(result.array, result.subscripts, seated.equation.type);
  append(block, keyPoints(seated, {{mark, Update::Max, markUnless(isFinite(value)), {}}}, true));
  return block;
}

/// Marks the rows in which a largest or least element has no regular image, before the image takes its place: no
/// element came, or the start would hide what it is. Empty: the state is no such element.
TileBlock PhaseLowerer::markImages(const Seated &seated, const std::map<std::string, Expr> &bound,
                                   const std::string &mark) {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  if (correction.carry != Monoid::Max && correction.carry != Monoid::Min) return {};
  const Ref at{mark, rowSubscripts()};
  const Expr regular =
      Expr::make(Op::And, {isFinite(bound.at("#0")), isFinite(realize(correction.final, seated, bound))});
  TileBlock block = rowPoints(seated, {{at, Update::Set, Expr::integer(0, Type::Int32), {}}});
  append(block, keyPoints(seated, {{at, Update::Max, markUnless(regular), {}}}, true));
  return block;
}

/// Marks the rows that are exceptional, and computes them again.
TileBlock PhaseLowerer::replay(const Seated &seated, const std::string &mark, Update rows) {
  TileBlock block = markOdd(seated, mark, rows, true);
  if (frame.boxed)
    frame.marks.push_back(mark);
  else
    append(block, replayRow(seated, mark));
  return block;
}

/// What holds of a row of the tile that is computed again.
isl::set PhaseLowerer::rowKnown(const Seated &seated) const {
  Axes axes(seated.axes.begin(), seated.axes.begin() + seated.equation.keys);
  std::vector<unsigned> order;
  for (int d : seated.member.rows)
    if (!axes[static_cast<unsigned>(d)].point.empty()) order.push_back(static_cast<unsigned>(d));
  for (unsigned d : seated.extras) axes[d] = {"x", {}, 0};
  const isl::set rows = asParameters(pointSet(seated.equation.keyDomain, axes, order), axes, order);
  return rows.intersect(alignedWith(frame.known, rows));
}

/// The reductions of this phase that a member waits for and that, like it, read values computed at each element: they
/// are computed again with it, from the same values.
std::vector<const Seated *> PhaseLowerer::againBefore(const Seated &seated) const {
  std::set<int> reached, sharing;
  std::vector<const Seated *> result;
  const std::function<bool(int)> readsInner = [&](int equation) {
    const auto at =
        std::find_if(seats.begin(), seats.end(), [&](const Seated &one) { return one.member.equation == equation; });
    if (at == seats.end()) return false;
    if (at->member.role == Member::Role::Inner) return true;
    if (!reached.insert(equation).second) return sharing.contains(equation);
    for (const Operand &operand : at->equation.operands)
      if (operand.equation >= 0 && readsInner(operand.equation)) sharing.insert(equation);
    return sharing.contains(equation);
  };
  if (!readsInner(seated.member.equation)) return {};
  for (const Seated &other : seats)
    if (&other != &seated && other.member.role == Member::Role::Reduce && sharing.contains(other.member.equation) &&
        !isReplaced(other))
      result.push_back(&other);
  return result;
}

/// The member's whole range for each row of the tile that is marked, and before it those of the reductions that it
/// shares computed values with.
TileBlock PhaseLowerer::replayRow(const Seated &seated, const std::string &bad) {
  const isl::set ofRows = rowKnown(seated);
  TileBlock body;
  for (const Seated *producer : againBefore(seated)) append(body, rowAgain(*producer, ofRows));
  append(body, rowAgain(seated, ofRows));
  return markedRows(seated, bad, body);
}

/// The member's whole range for one row: a point of the loop at a time, in ascending order, at which every element
/// takes in what is its own. `ofRows`: what holds of the row.
TileBlock PhaseLowerer::rowAgain(const Seated &seated, const isl::set &ofRows) {
  const Equation &e = seated.equation;
  const std::map<int, Residence> homes = frame.homes;
  const std::string mine = homes.at(seated.member.equation).array;
  std::vector<unsigned> rows, rolled;
  for (int d : seated.member.rows) rows.push_back(static_cast<unsigned>(d));
  for (int d : seated.member.rolled) rolled.push_back(static_cast<unsigned>(d));
  Axes axes = seated.axes;
  std::vector<Axis> whole;
  for (std::size_t k = 0; k < rolled.size(); ++k) {
    whole.push_back({frame.unique(plainName(phase.rolled[k])), {}, 0});
    axes[rolled[k]] = whole.back();
  }
  for (unsigned d : seated.extras)
    axes[d] = {frame.unique(plainName(e.dims[d])), {}, seated.axes[d].base ? 0 : seated.axes[d].extent};
  const Seated plain{seated.member, e, axes, seated.extras, {}, seated.extras, {}};
  const std::vector<Axis> kept = rolledAxes;
  rolledAxes = whole;
  const Ref target{mine, resultSubscripts(plain)};
  const auto keyLoops = [&](const TileAssign &assign, const isl::set &domain, const Axes &at, const isl::set &holds) {
    const isl::set points = alignedWith(pointSet(domain, at, plain.extras), holds);
    return emitPoints(loopsOver(points, at, plain.extras, holds), {assign}, plain.extras.size(), false);
  };
  const Axes ofRow = given(axes, rows), keysOfRow(ofRow.begin(), ofRow.begin() + e.keys);
  TileBlock body = keyLoops({target, Update::Set, realize(e.initial, plain), {}}, e.keyDomain, keysOfRow, ofRows);
  Axes anyKey = ofRow;
  for (unsigned d : plain.extras) anyKey[d] = {"x", {}, 0};
  const isl::set range = alignedWith(pointSet(e.domain, anyKey, rolled), ofRows);
  const PointLoops loops = loopsInOrder(range, anyKey, rolled, ofRows);
  const isl::set within = asParameters(range, anyKey, rolled);
  TileBlock nest;
  for (const Seated &inner : seats)
    if (inner.member.role == Member::Role::Inner) append(nest, replayInner(inner, whole));
  append(nest, keyLoops({target, updateOf(e, *e.monoid), realize(e.value, plain), {}}, e.domain, given(ofRow, rolled),
                        within.intersect(alignedWith(ofRows, within))));
  if (loops.inside) nest = {std::make_shared<const TileBranch>(TileBranch{loops.inside, nest, {}})};
  for (std::size_t k = loops.dims.size(); k-- > 0;)
    nest = {std::make_shared<const TileLoop>(
        TileLoop{loops.dims[k].variable, loops.dims[k].first, loops.dims[k].limit, 1, TileLoop::Kind::Serial, nest})};
  if (loops.outside) nest = {std::make_shared<const TileBranch>(TileBranch{loops.outside, nest, {}})};
  append(body, nest);
  rolledAxes = kept;
  frame.homes = homes;
  return body;
}

/// An inner value at one element, into a scalar.
TileBlock PhaseLowerer::replayInner(const Seated &inner, const std::vector<Axis> &whole) {
  const Equation &e = inner.equation;
  Axes axes = inner.axes;
  for (std::size_t k = 0; k < whole.size(); ++k) axes[static_cast<unsigned>(inner.member.rolled[k])] = whole[k];
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
  scalar.name = frame.unique(e.array + "_again");
  scalar.type = e.type;
  scalar.written = true;
  frame.tiles.push_back(scalar);
  TileBlock block{TileAssign{{scalar.name, {}}, Update::Set, realize(e.initial, plain), {}}};
  std::vector<PointLoops> loops = loopsOver(pointSet(e.domain, axes, order), axes, order, frame.known);
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
  append(block, emitPoints(loops, {{{scalar.name, {}}, updateOf(e, *e.monoid), realize(e.value, plain), {}}}, 0,
                           frame.options.reorder));
  frame.homes[inner.member.equation] = {scalar.name, true, nullptr};
  scalarHomes.insert(scalar.name);
  return block;
}

/// Loops over the tile's rows around a block that runs where the row is marked.
TileBlock PhaseLowerer::markedRows(const Seated &seated, const std::string &mark, TileBlock body) {
  const Expr marked =
      Expr::make(Op::Ne, {Expr::read(mark, rowSubscripts(), Type::Int32), Expr::integer(0, Type::Int32)});
  body = {std::make_shared<const TileBranch>(TileBranch{marked, body, {}})};
  Axes axes(seated.axes.begin(), seated.axes.begin() + seated.equation.keys);
  std::vector<unsigned> order;
  for (int d : seated.member.rows)
    if (!axes[static_cast<unsigned>(d)].point.empty()) order.push_back(static_cast<unsigned>(d));
  for (unsigned d : seated.extras) axes[d] = {"x", {}, 0};
  TileBlock block;
  for (const PointLoops &loops :
       loopsOver(pointSet(seated.equation.keyDomain, axes, order), axes, order, frame.known)) {
    TileBlock nest = body;
    for (std::size_t k = order.size(); k-- > 0;)
      nest = {std::make_shared<const TileLoop>(
          TileLoop{loops.dims[k].variable, loops.dims[k].first, loops.dims[k].limit, 1, TileLoop::Kind::Serial, nest})};
    append(block, nest);
  }
  return block;
}

} // namespace polymend
