// A running value begins as the source's does; a state begins as that of nothing, at a pivot that stands in for a
// regular value: nothing was taken at it, so that the first mend leaves the state as it is.
#include "initial_states.h"

#include "conditions.h"
#include "regions.h"
#include "start.h"
#include "values.h"

#include "tile/evaluate.h"

#include <algorithm>
#include <cmath>

namespace polymend {

/// An extreme keeps the start of the source, which may be taken more than once: where it is an element, the states are
/// those at a pivot that knows it.
TileBlock neutralStart(const PhaseContext &context, const Seated &seated) {
  if (seated.member.role != Member::Role::Reduce || seated.member.mended >= 0 || isReplaced(context, seated)) return {};
  const Equation &e = seated.equation;
  if (*e.monoid == Monoid::Max || *e.monoid == Monoid::Min) return {};
  const Ref own = resultOf(context, seated, context.frame.homes.at(seated.member.equation).array);
  const Expr start = nothingOf(seated, *e.monoid, e.type);
  if (equal(realize(context, e.initial, seated), start)) return {};
  return keyPoints(context, seated, {{own, Update::Set, start, {}}});
}

namespace {

/// Every entry of the mend from `from` to `to`, both for all producers alike, is finite in the state's arithmetic.
bool mendsFinitely(const Correction &correction, double from, double to) {
  tile::Environment env;
  for (const std::string &symbol : correction.pivots) {
    env.scalars[symbol] = tile::Number::real(from);
    env.scalars[symbol + "'"] = tile::Number::real(to);
  }
  for (const std::vector<Expr> &row : correction.mend)
    for (const Expr &entry : row) {
      const tile::Number value = tile::evaluate(entry, env);
      if (env.fault || !std::isfinite(value.asReal())) return false;
    }
  return true;
}

/// What a pivot is before any regular value: nothing was taken at it, so that it may be any value from which mends are
/// finite factors, which leave a state of zero at zero.
double rectangularStandIn(const Correction &correction, Type type) {
  const double usual = correction.nonzero.empty() ? 0 : 1;
  if (type != Type::Float32 && type != Type::Float64) return usual;
  for (const double candidate : {-moderate, moderate})
    if (mendsFinitely(correction, candidate, 1) && mendsFinitely(correction, candidate, -1000) &&
        mendsFinitely(correction, candidate, 1000))
      return candidate;
  return usual;
}

/// The pivots of a correction, before they have tiles.
PivotGroup groupFor(const PhaseContext &context, const Seated &seated) {
  const Mended &mended = mendedOf(context, seated);
  const Correction &correction = mended.correction;
  PivotGroup group{{}, correction.pivots, {}, seated.member.equation, {}, {}, {}};
  for (const std::string &symbol : correction.pivots) {
    const auto named =
        std::find_if(mended.names.begin(), mended.names.end(), [&](const auto &n) { return n.first == symbol; });
    group.producers.push_back(seated.equation.operands[static_cast<std::size_t>(named->second)].equation);
    group.key += std::to_string(group.producers.back()) + ",";
  }
  for (const Expr &e : correction.regular) group.key += show(e) + ";";
  for (const Expr &e : correction.nonzero) group.key += show(e) + "!";
  return group;
}

/// Tiles for a group of pivots, and what stands in for their first regular values.
TileBlock beginPivots(const PhaseContext &context, const Seated &seated, PivotGroup &group) {
  const Correction &correction = correctionOf(context, seated);
  TileBlock block;
  for (const int producer : group.producers) {
    const Equation &e = context.frame.equation(producer);
    group.pivots.push_back(makeRowTile(context, e.array + "_pivot", e.type));
    group.nexts.push_back(makeRowTile(context, e.array + "_next", e.type));
    const double usual = correction.nonzero.empty() ? 0 : 1;
    const Expr standIn = Expr::real(context.frame.rectangular ? rectangularStandIn(correction, e.type) : usual, e.type);
    append(block,
           rowPoints(context, seated, {{{group.pivots.back(), rowSubscripts(context)}, Update::Set, standIn, {}}}));
  }
  if (context.frame.rectangular)
    group.moves = makeRowTile(context, context.frame.equation(group.producers[0]).array + "_moves", Type::Int32);
  return block;
}

/// Joins the member to the pivots of a correction; corrections that watch the same producers under the same conditions
/// share them.
TileBlock joinPivots(const PhaseContext &context, const Seated &seated, MendedStates &states) {
  PivotGroup group = groupFor(context, seated);
  const auto known = std::find_if(states.groups.begin(), states.groups.end(),
                                  [&](const PivotGroup &other) { return other.key == group.key; });
  states.grouped[seated.member.equation] = static_cast<std::size_t>(known - states.groups.begin());
  if (known != states.groups.end()) return {};
  TileBlock block = beginPivots(context, seated, group);
  states.groups.push_back(std::move(group));
  return block;
}

/// Tiles for the state components and, if the state moves, for the pivots.
TileBlock beginMended(const PhaseContext &context, const Seated &seated, MendedStates &states) {
  const Correction &correction = correctionOf(context, seated);
  const Equation &e = seated.equation;
  std::vector<std::string> tiles;
  TileBlock block;
  for (std::size_t k = 0; k < correction.state.size(); ++k) {
    const Type type = componentType(context, seated, k);
    tiles.push_back(makeTile(context, seated, k == 0 ? e.array : e.array + "_state" + std::to_string(k), type));
    append(
        block,
        keyPoints(
            context, seated,
            {{resultOf(context, seated, tiles.back()), Update::Set, nothingOf(seated, correction.carry, type), {}}}));
  }
  context.frame.homes[seated.member.equation] = {tiles[0], false, &seated.member};
  states.tiles[seated.member.equation] = std::move(tiles);
  if (correction.moves) append(block, joinPivots(context, seated, states));
  return block;
}

TileBlock beginMember(const PhaseContext &context, const Seated &seated, MendedStates &states) {
  if (seated.member.role == Member::Role::Map) return {};
  if (seated.member.mended >= 0) return beginMended(context, seated, states);
  if (isReplaced(context, seated)) return {};
  const std::string name = makeTile(context, seated, seated.equation.array, seated.equation.type);
  context.frame.homes[seated.member.equation] = {name, false, &seated.member};
  if (seated.member.role == Member::Role::Inner) return {};
  return keyPoints(context, seated, {{resultOf(context, seated, name), Update::Set, beginning(context, seated), {}}});
}

} // namespace

InitialStates initialStates(const PhaseContext &context) {
  InitialStates initial;
  for (const Seated &seated : context.seats) initial.blocks.push_back(beginMember(context, seated, initial.states));
  return initial;
}

} // namespace polymend
