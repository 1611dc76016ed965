// Maps store where they are computed; inner values and reductions are updated; mended ones are rescaled on the way.
#include "member.h"

#include "constant_pivot.h"
#include "finish.h"
#include "marks.h"
#include "regions.h"
#include "start.h"
#include "update.h"
#include "values.h"

#include <isl/set.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace polymend {
namespace {

/// The symbols that an expression has whichever way its choices go.
std::set<std::string> symbolsOfEachWay(const Expr &e) {
  std::set<std::string> all;
  if (e.op() == Op::Symbol) return {e->name};
  if (e.op() == Op::Select) {
    const std::set<std::string> one = symbolsOfEachWay(e.arg(1)), other = symbolsOfEachWay(e.arg(2));
    std::ranges::set_intersection(one, other, std::inserter(all, all.end()));
    return all;
  }
  for (const Expr &part : e->args) all.merge(symbolsOfEachWay(part));
  return all;
}

/// The points of a map. Where a dimension has one point for each element that is stored and the subscripts do not say
/// it (the last turn of a loop), that dimension runs in order.
TileBlock mapPoints(const PhaseContext &context, const Seated &seated, const std::vector<TileAssign> &body) {
  const std::vector<unsigned> all = seated.order();
  std::vector<TileAssign> own;
  TileBlock inOrder;
  for (const TileAssign &assign : body) {
    std::set<std::string> used;
    for (const Expr &subscript : assign.target.subscripts) used.merge(symbolsOfEachWay(subscript));
    std::vector<unsigned> order, still;
    for (const unsigned d : all) (used.contains(seated.axes[d].point) ? order : still).push_back(d);
    const std::size_t parallel = order.size();
    order.insert(order.end(), still.begin(), still.end());
    if (still.empty())
      own.push_back(assign);
    else
      append(inOrder, points(context, seated, order, parallel, {assign}));
  }
  TileBlock block = points(context, seated, all, all.size(), own);
  append(block, inOrder);
  return block;
}

TileBlock stepMap(const PhaseContext &context, const Seated &seated) {
  const Equation &e = seated.equation;
  const Expr value = realize(context, e.value, seated);
  std::vector<TileAssign> body;
  if (context.frame.schedule.places[static_cast<std::size_t>(seated.member.equation)] == EquationPlace::Work) {
    std::vector<Expr> keys;
    for (unsigned d = 0; d < e.keys; ++d) keys.push_back(seated.axes[d].global());
    body.push_back({{workName(e), workPlace(e, keys)}, Update::Set, value, {}});
    context.frame.homes[seated.member.equation] = {workName(e), true, nullptr};
  }
  for (const Store &store : e.stores) {
    const isl::set where = store.map.domain();
    const auto subscripts = toExprs(store.map, symbolsOf(e.dims));
    Expr guard;
    if (!e.domain.is_subset(where))
      guard = realize(context, toCondition(where.gist(e.domain), symbolsOf(e.dims)), seated);
    std::vector<Expr> placed;
    for (const Expr &subscript : *subscripts) placed.push_back(simplify(realize(context, subscript, seated)));
    body.push_back({{store.array, placed}, Update::Set, value, guard});
  }
  return mapPoints(context, seated, body);
}

/// Is it 0 or 1?
bool isTruth(const Expr &e) {
  const auto isBit = [](const Expr &one) {
    return one.op() == Op::Integer && (one->integer == 0 || one->integer == 1);
  };
  if (e.op() == Op::Select) return isBit(e.arg(1)) && isBit(e.arg(2));
  return e.op() == Op::Cast && e.arg(0).type() == Type::Bool;
}

/// Where a value made of all points of a row may still change: a conjunction or a disjunction stands once it is
/// decided, and the rest of the points is not read, as in most such loops. Absent: it may always, or several rows share
/// a tile.
Expr isUndecided(const PhaseContext &context, const Seated &seated, const Ref &state) {
  const Equation &e = seated.equation;
  const bool gathers = e.monoid == Monoid::Min || e.monoid == Monoid::Max;
  const bool isAlone =
      state.subscripts.empty() && !context.rolled.empty() && seated.member.role == Member::Role::Reduce;
  if (!isOnHost(context) || !gathers || !isAlone || !isInteger(e.type) || !isTruth(e.value)) return {};
  const Expr decided = Expr::integer(e.monoid == Monoid::Min ? 0 : 1, e.type);
  return Expr::make(Op::Ne, {Expr::read(state.array, {}, e.type), decided});
}

} // namespace

Emitted stepMember(const PhaseContext &context, const Seated &seated, OnlineRescale &rescale, Hoisting &hoisting) {
  if (seated.member.role == Member::Role::Map) return {{}, stepMap(context, seated), {}};
  if (seated.member.mended >= 0) return rescale.step(context, seated, hoisting);
  if (const ConstantPivot *pivot = constantPivotOfProducer(context.frame.relaxed, seated.member.equation))
    return {{}, {TileNote{explain(context, *pivot)}}, {}};
  Emitted step;
  const Ref target = resultOf(context, seated, context.frame.homes.at(seated.member.equation).array);
  if (seated.member.role == Member::Role::Inner)
    step.body = keyPoints(context, seated, {{target, Update::Set, beginning(context, seated), {}}});
  append(step, update(context, hoisting, seated, target, updateOf(seated.equation, *seated.equation.monoid),
                      realize(context, seated.equation.value, seated), chosenReads(context, seated)));
  if (const Expr undecided = isUndecided(context, seated, target))
    step.body = {nodeOf(TileBranch{undecided, step.body, {}})};
  return step;
}

TileBlock endMember(const PhaseContext &context, const Seated &seated, OnlineRescale &rescale,
                    const std::set<int> &watched) {
  if (seated.member.role != Member::Role::Reduce || isReplaced(context, seated)) return {};
  TileBlock block;
  if (seated.member.mended >= 0) block = rescale.end(context, seated);
  if (watched.contains(seated.member.equation)) append(block, markInfinite(context, seated));
  if (!constantPivotOf(context, seated)) append(block, storeWork(context, seated));
  return block;
}

} // namespace polymend
