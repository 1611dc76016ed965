// Split-K: the parts of a loop run beside each other, each with its own running values, pivots and states; a second
// kernel combines them. The same matrix that mends a state when its pivot moves brings each part's state to the final
// pivot (note [parts] below).
//
// note [parts]: part p leaves r_p (its producers), u_p (its pivot, always regular) and X_p. With r = (+) r_p the result
// is
// (+)_p A(u_p, r) X_p, by law (A) for each element and law (B) for their sum; an empty part has X_p = 0 and adds
// nothing.
#include "tile/phase.h"

#include <algorithm>

namespace polymend {
namespace {

std::string partName(const Equation &e, std::size_t component) {
  return e.name + "_part" + (component ? std::to_string(component) : "");
}
std::string pivotName(const PivotGroup &group, const Equation &owner, std::size_t k) {
  return owner.name + "_pivot" + (group.pivots.size() > 1 ? std::to_string(k) : "") + "_part";
}

} // namespace

/// Subscripts of a part array: the part, then the keys' global values.
std::vector<Expr> PhaseLowerer::partSubscripts(const Seated &seated, const std::vector<unsigned> &keys,
                                               const Expr &part) const {
  std::vector<Expr> result{part};
  for (unsigned d : keys) result.push_back(seated.axes[d].global());
  return result;
}

namespace {

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

} // namespace

std::vector<TileArray> PhaseLowerer::partArrays(const Expr &parts) {
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
  for (const Seated &seated : seats) {
    if (seated.member.role != Member::Role::Reduce || isReplaced(seated)) continue;
    const std::size_t components = seated.member.mended < 0 ? 1 : states.at(seated.member.equation).size();
    for (std::size_t k = 0; k < components; ++k)
      add(partName(seated.equation, k), seated, allKeys(seated), partType(seated, k));
  }
  for (const PivotGroup &group : pivotGroups)
    for (std::size_t k = 0; k < group.pivots.size(); ++k)
      add(pivotName(group, group.owner->equation, k), *group.owner, rowKeys(*group.owner),
          frame.equation(group.producers[k]).type);
  return result;
}

Type PhaseLowerer::partType(const Seated &seated, std::size_t k) const {
  return seated.member.mended < 0 ? seated.equation.type : componentType(seated, k);
}

/// Writes a member's running value or state, and the pivots it owns, to memory.
TileBlock PhaseLowerer::savePart(const Seated &seated) {
  if (seated.member.role != Member::Role::Reduce || isReplaced(seated)) return {};
  const Expr part = Expr::symbol(partVariable, Type::Int64);
  const Equation &e = seated.equation;
  const std::vector<std::string> tiles = seated.member.mended < 0
                                             ? std::vector{frame.homes.at(seated.member.equation).array}
                                             : states.at(seated.member.equation);
  TileBlock block;
  for (std::size_t k = 0; k < tiles.size(); ++k)
    append(block, keyPoints(seated, {{{partName(e, k), partSubscripts(seated, allKeys(seated), part)},
                                      Update::Set,
                                      Expr::read(tiles[k], resultSubscripts(seated), partType(seated, k)),
                                      stored(seated)}}));
  for (const PivotGroup &group : pivotGroups)
    for (std::size_t k = 0; group.owner == &seated && k < group.pivots.size(); ++k)
      append(block, rowPoints(seated, {{{pivotName(group, e, k), partSubscripts(seated, rowKeys(seated), part)},
                                        Update::Set,
                                        leftPivot(group, k),
                                        stored(seated, true)}}));
  return block;
}

/// A part's running value begins neutral: the first value counts once, where parts are combined.
TileBlock PhaseLowerer::neutralStart(const Seated &seated) {
  if (seated.member.role != Member::Role::Reduce || seated.member.mended >= 0 || isReplaced(seated)) return {};
  const Equation &e = seated.equation;
  const Ref own = resultOf(seated, frame.homes.at(seated.member.equation).array);
  const Expr start = nothingOf(seated, *e.monoid, e.type);
  if (equal(realize(e.initial, seated), start)) return {};
  return keyPoints(seated, {{own, Update::Set, start, {}}});
}

TileBlock PhaseLowerer::runPart(const std::string &part, std::int64_t parts) {
  partVariable = part;
  partCount = parts;
  inParts = true;
  for (const Seated &seated : seats) {
    beginMember(seated);
    append(prologue, neutralStart(seated));
  }
  const TileBlock body = roll(0);
  TileBlock block = prologue;
  append(block, body);
  for (const Seated &seated : seats) append(block, savePart(seated));
  return block;
}

std::optional<BoxedPhase> PhaseLowerer::runBoxedPart(const std::string &part, const Expr &parts) {
  partVariable = part;
  inParts = true;
  std::vector<std::pair<std::string, Expr>> lets;
  const auto let = [&](const std::string &wanted, const Expr &value) {
    lets.emplace_back(frame.unique(wanted), simplify(value));
    return Expr::symbol(lets.back().first, Type::Int64);
  };
  auto result = boxedChunks([&](ChunkLoop &loop) {
    const auto over = [](const Expr &a, const Expr &b) {
      return Expr::make(Op::FloorDiv, Type::Int64, {a + b - Expr::integer(1), b});
    };
    const Expr step = Expr::integer(loop.step), number = Expr::symbol(part, Type::Int64);
    const Expr length = let(part + "_length", over(over(loop.limit - loop.first, step), parts) * step);
    partFirst = let(part + "_first", loop.first + number * length);
    loop.limit = let(part + "_limit", Expr::make(Op::Min, Type::Int64, {loop.limit, partFirst + length}));
    loop.first = partFirst;
  });
  if (!result) return std::nullopt;
  result->lets.insert(result->lets.begin(), lets.begin(), lets.end());
  for (const Seated &seated : seats) {
    append(result->before, neutralStart(seated));
    append(result->after, savePart(seated));
  }
  return result;
}

/// Points of the member's keys with the parts as a reduced dimension.
TileBlock PhaseLowerer::partPoints(const Seated &seated, const Expr &part, const Expr &parts,
                                   const std::vector<TileAssign> &body) {
  const Axes axes(seated.axes.begin(), seated.axes.begin() + seated.equation.keys);
  std::vector<unsigned> order;
  for (unsigned d : seated.parallel)
    if (d < seated.equation.keys) order.push_back(d);
  std::vector<PointLoops> loops = loopsOver(pointSet(seated.equation.keyDomain, axes, order), axes, order, frame.known);
  for (PointLoops &one : loops) one.dims.push_back({part->name, Expr::integer(0), parts, PointDim::Kind::Reduced});
  return wrapOwn(seated, true, emitPoints(loops, body, order.size(), true));
}

/// What a part adds to a component of the state at the final pivot.
Expr PhaseLowerer::mendedTerm(const Seated &seated, std::size_t component, const Expr &part) {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  const Equation &e = seated.equation;
  const Expr zero = nothingOf(seated, correction.carry, e.type);
  const auto state = [&](std::size_t k) {
    const Expr read = Expr::read(partName(e, k), partSubscripts(seated, allKeys(seated), part), partType(seated, k));
    return read.type() == e.type ? read : Expr::cast(e.type, read);
  };
  if (!correction.moves) return state(component);
  const PivotGroup &group = pivotGroup(seated);
  std::map<std::string, Expr> bound = bindings(seated, nullptr, &group.nexts);
  for (std::size_t k = 0; k < group.symbols.size(); ++k)
    bound[correction.pivots[k]] =
        Expr::read(pivotName(group, group.owner->equation, k),
                   partSubscripts(*group.owner, rowKeys(*group.owner), part), frame.equation(group.producers[k]).type);
  Expr sum;
  for (std::size_t j = 0; j < correction.mend[component].size(); ++j) {
    const Expr entry = realize(correction.mend[component][j], seated, bound);
    if (entry.op() == Op::Real && entry->real == 0) continue;
    const bool one = entry.op() == Op::Real && entry->real == 1;
    Expr term =
        one ? state(j) : Expr::make(Op::Select, e.type, {Expr::make(Op::Eq, {state(j), zero}), zero, state(j) * entry});
    if (const Expr much = one ? Expr() : magnifiesPart(seated, state(j), entry))
      term = Expr::make(Op::Select, e.type, {much, lost(seated, e.type), term});
    sum = sum ? sum + term : term;
  }
  return sum ? sum : zero;
}

TileBlock PhaseLowerer::combinePart(const Seated &seated, const Expr &parts) {
  if (seated.member.role != Member::Role::Reduce || isReplaced(seated)) return {};
  const Expr part = Expr::symbol(frame.unique("part"), Type::Int64);
  const Equation &e = seated.equation;
  if (seated.member.mended < 0) {
    const Ref own = resultOf(seated, frame.homes.at(seated.member.equation).array);
    const Expr value = Expr::read(partName(e, 0), partSubscripts(seated, allKeys(seated), part), e.type);
    TileBlock block = partPoints(seated, part, parts, {{own, updateOf(e, *e.monoid), value, {}}});
    append(block, storeWork(seated));
    return block;
  }
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  TileBlock block;
  std::map<std::string, Expr> bound = bindings(seated, nullptr, nullptr);
  if (correction.moves) {
    PivotGroup &group = pivotGroup(seated);
    if (group.owner == &seated) append(block, movePivots(seated, true));
    block.push_back(TileNote{"bring every part to the final pivot; " + explain(seated)});
    bound = bindings(seated, &group.nexts, nullptr);
  }
  const auto &tiles = states.at(seated.member.equation);
  for (std::size_t k = 0; k < tiles.size(); ++k)
    append(block,
           partPoints(seated, part, parts,
                      {{resultOf(seated, tiles[k]), updateOf(e, correction.carry), mendedTerm(seated, k, part), {}}}));
  if (steadyOf(seated)) {
    append(block, finishTogether(seated));
    return block;
  }
  append(block, finishAndReplay(seated, bound));
  append(block, storeWork(seated));
  return block;
}

TileBlock PhaseLowerer::runCombine(const Expr &parts) {
  inParts = true;
  for (const Seated &seated : seats) beginMember(seated);
  TileBlock block;
  for (const Seated &seated : seats) append(block, combinePart(seated, parts));
  TileBlock all = prologue;
  append(all, block);
  return all;
}

} // namespace polymend
