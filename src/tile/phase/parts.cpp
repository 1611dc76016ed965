// Split-K: the parts of a loop run beside each other, each with its own running values, pivots and states; a second
// kernel combines them. The same matrix that mends a state when its pivot moves brings each part's state to the final
// pivot (note [parts] below).
//
// note [parts]: part p leaves r_p (its producers), u_p (its pivot, always regular) and X_p. With r = (+) r_p the result
// is
// (+)_p A(u_p, r) X_p, by law (A) for each element and law (B) for their sum; an empty part has X_p = 0 and adds
// nothing.
#include "parts.h"

#include "constant_pivot.h"
#include "finish.h"
#include "mend.h"
#include "regions.h"
#include "start.h"
#include "values.h"

#include <algorithm>

namespace polymend {
namespace {

std::string partName(const Equation &e, std::size_t component) {
  return e.name + "_part" + (component ? std::to_string(component) : "");
}

std::string pivotName(const PivotGroup &group, const Equation &owner, std::size_t k) {
  return owner.name + "_pivot" + (group.pivots.size() > 1 ? std::to_string(k) : "") + "_part";
}

/// Subscripts of a part array: the part, then the keys' global values.
std::vector<Expr> partSubscripts(const Seated &seated, const std::vector<unsigned> &keys, const Expr &part) {
  std::vector<Expr> result{part};
  for (unsigned d : keys) result.push_back(seated.axes[d].global());
  return result;
}

std::vector<unsigned> allKeys(const Seated &seated) {
  std::vector<unsigned> keys;
  for (unsigned d = 0; d < seated.equation.keys; ++d) keys.push_back(d);
  return keys;
}

std::vector<unsigned> rowKeys(const Seated &seated) {
  std::vector<unsigned> keys;
  for (int d : seated.member.rows) keys.push_back(static_cast<unsigned>(d));
  return keys;
}

Type partType(const PhaseContext &context, const Seated &seated, std::size_t k) {
  return seated.member.mended < 0 ? seated.equation.type : componentType(context, seated, k);
}

} // namespace

std::vector<TileArray> partArrays(const PhaseContext &context, const MendedStates &states, const Expr &parts) {
  std::vector<TileArray> result;
  const auto add = [&](const std::string &name, const Seated &seated, const std::vector<unsigned> &keys, Type type) {
    TileArray array;
    array.name = name;
    array.type = type;
    array.space = Space::Work;
    array.written = true;
    array.extents.push_back(parts);
    for (unsigned d : keys) array.extents.push_back(keyExtent(seated.equation, d));
    result.push_back(array);
  };
  for (const Seated &seated : context.seats) {
    if (seated.member.role != Member::Role::Reduce || isReplaced(context, seated)) continue;
    const std::size_t components = seated.member.mended < 0 ? 1 : states.tiles.at(seated.member.equation).size();
    for (std::size_t k = 0; k < components; ++k)
      add(partName(seated.equation, k), seated, allKeys(seated), partType(context, seated, k));
  }
  for (const PivotGroup &group : states.groups)
    for (std::size_t k = 0; k < group.pivots.size(); ++k)
      add(pivotName(group, seatOf(context, group.owner).equation, k), seatOf(context, group.owner),
          rowKeys(seatOf(context, group.owner)), context.frame.equation(group.producers[k]).type);
  return result;
}

TileBlock savePart(const PhaseContext &context, const MendedStates &states, const BlindRows &blind,
                   const Seated &seated) {
  if (seated.member.role != Member::Role::Reduce || isReplaced(context, seated)) return {};
  const Expr part = Expr::symbol(context.share.part, Type::Int64);
  const Equation &e = seated.equation;
  const std::vector<std::string> tiles = seated.member.mended < 0
                                             ? std::vector{context.frame.homes.at(seated.member.equation).array}
                                             : states.tiles.at(seated.member.equation);
  TileBlock block;
  for (std::size_t k = 0; k < tiles.size(); ++k)
    append(block, keyPoints(context, seated,
                            {{{partName(e, k), partSubscripts(seated, allKeys(seated), part)},
                              Update::Set,
                              Expr::read(tiles[k], resultSubscripts(context, seated), partType(context, seated, k)),
                              stored(context, seated)}}));
  for (const PivotGroup &group : states.groups)
    for (std::size_t k = 0; group.owner == seated.member.equation && k < group.pivots.size(); ++k)
      append(block, rowPoints(context, seated,
                              {{{pivotName(group, e, k), partSubscripts(seated, rowKeys(seated), part)},
                                Update::Set,
                                blind.leftPivot(context, group, k),
                                stored(context, seated, true)}}));
  return block;
}

namespace {

/// Points of the member's keys with the parts as a reduced dimension.
TileBlock partPoints(const PhaseContext &context, const Seated &seated, const Expr &part, const Expr &parts,
                     const std::vector<TileAssign> &body) {
  const Axes axes(seated.axes.begin(), seated.axes.begin() + seated.equation.keys);
  std::vector<unsigned> order;
  for (unsigned d : seated.parallel)
    if (d < seated.equation.keys) order.push_back(d);
  std::vector<PointLoops> loops =
      loopsOver(pointSet(seated.equation.keyDomain, axes, order), axes, order, context.frame.known);
  for (PointLoops &one : loops) one.dims.push_back({part->name, Expr::integer(0), parts, PointDim::Kind::Reduced});
  return wrapOwn(seated, true, emitPoints(loops, body, order.size(), true));
}

/// What a part adds to a component of the state at the final pivot.
Expr mendedTerm(const PhaseContext &context, const MendedStates &states, BlindRows &blind, const Seated &seated,
                std::size_t component, const Expr &part) {
  const Correction &correction = correctionOf(context, seated);
  const Equation &e = seated.equation;
  const Expr zero = nothingOf(seated, correction.carry, e.type);
  const auto state = [&](std::size_t k) {
    const Expr read =
        Expr::read(partName(e, k), partSubscripts(seated, allKeys(seated), part), partType(context, seated, k));
    return read.type() == e.type ? read : Expr::cast(e.type, read);
  };
  if (!correction.moves) return state(component);
  const PivotGroup &group = pivotsOf(states, seated);
  std::map<std::string, Expr> bound = bindings(context, states, seated, nullptr, &group.nexts);
  for (std::size_t k = 0; k < group.symbols.size(); ++k)
    bound[correction.pivots[k]] =
        Expr::read(pivotName(group, seatOf(context, group.owner).equation, k),
                   partSubscripts(seatOf(context, group.owner), rowKeys(seatOf(context, group.owner)), part),
                   context.frame.equation(group.producers[k]).type);
  Expr sum;
  for (std::size_t j = 0; j < correction.mend[component].size(); ++j) {
    const Expr entry = realize(context, correction.mend[component][j], seated, bound);
    if (entry.op() == Op::Real && entry->real == 0) continue;
    const bool one = entry.op() == Op::Real && entry->real == 1;
    Expr term =
        one ? state(j) : Expr::make(Op::Select, e.type, {Expr::make(Op::Eq, {state(j), zero}), zero, state(j) * entry});
    if (const Expr much = one ? Expr() : blind.magnifiesPart(context, seated, state(j), entry))
      term = Expr::make(Op::Select, e.type, {much, lost(context, seated, e.type), term});
    sum = sum ? sum + term : term;
  }
  return sum ? sum : zero;
}

} // namespace

TileBlock combineParts(const PhaseContext &context, const MendedStates &states, BlindRows &blind, const Seated &seated,
                       const Expr &parts) {
  if (seated.member.role != Member::Role::Reduce || isReplaced(context, seated)) return {};
  const Expr part = Expr::symbol(context.frame.unique("part"), Type::Int64);
  const Equation &e = seated.equation;
  if (seated.member.mended < 0) {
    const Ref own = resultOf(context, seated, context.frame.homes.at(seated.member.equation).array);
    const Expr value = Expr::read(partName(e, 0), partSubscripts(seated, allKeys(seated), part), e.type);
    TileBlock block = partPoints(context, seated, part, parts, {{own, updateOf(e, *e.monoid), value, {}}});
    append(block, storeWork(context, seated));
    return block;
  }
  const Correction &correction = correctionOf(context, seated);
  TileBlock block;
  std::map<std::string, Expr> bound = bindings(context, states, seated, nullptr, nullptr);
  if (correction.moves) {
    const PivotGroup &group = pivotsOf(states, seated);
    if (group.owner == seated.member.equation) append(block, movePivots(context, states, blind, seated, true).body);
    block.push_back(TileNote{"bring every part to the final pivot; " + explain(context, seated)});
    bound = bindings(context, states, seated, &group.nexts, nullptr);
  }
  const auto &tiles = states.tiles.at(seated.member.equation);
  for (std::size_t k = 0; k < tiles.size(); ++k)
    append(block, partPoints(context, seated, part, parts,
                             {{resultOf(context, seated, tiles[k]),
                               updateOf(e, correction.carry),
                               mendedTerm(context, states, blind, seated, k, part),
                               {}}}));
  if (constantPivotOf(context, seated)) {
    append(block, finishTogether(context, states, seated));
    return block;
  }
  append(block, finishWithFallback(context, states, seated, bound));
  append(block, storeWork(context, seated));
  return block;
}

} // namespace polymend
