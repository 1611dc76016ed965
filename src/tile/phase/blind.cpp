// Before a reference is regular a stand-in serves as the pivot. What is taken in about it may underflow where the
// source, about the true reference, keeps it: 0 from then on, and no test of the result sees that. Such rows are blind.
// Their states become no numbers (an infinity for a maximum), so that they are computed again; likewise where a mend
// magnifies a state that was near underflow. No element is lost where the reference is what it starts from, or zero,
// only as long as none that counts has come: this is shown over classes of values (standstill). A part of the loop that
// the reference's own range does not reach keeps its stand-in to the end: there, only what a mend magnifies is lost.
// One file: the cases above are told apart by the same facts.
#include "blind.h"

#include "magnified.h"
#include "regions.h"
#include "standstill.h"
#include "values.h"

#include "tile/evaluate.h"

#include <isl/set.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polymend {
namespace {

/// Where a row stands: it has a regular reference, elements came in without one, nothing came yet, or its reference is
/// regular for the first time.
enum Standing { Seeing, Blind, Untouched, First };

Expr numbered(Standing standing) { return Expr::integer(standing, Type::Int32); }

/// The points of the rows and of the loop that an equation's domain holds.
isl::set rolledPoints(const Seated &seated) {
  std::vector<unsigned> order;
  for (int d : seated.member.rows) order.push_back(static_cast<unsigned>(d));
  for (int d : seated.member.rolled) order.push_back(static_cast<unsigned>(d));
  return pointSet(seated.equation.domain, Axes(seated.equation.dims.size(), Axis{"[x]", {}, 0}), order);
}

/// The points before some point of the set in the loop, of the same row.
isl::set before(const isl::set &points, unsigned rows) {
  isl_map *map = isl_map_universe(isl_space_map_from_set(isl_set_get_space(points.get())));
  for (unsigned r = 0; r < rows; ++r)
    map = isl_map_equate(map, isl_dim_in, static_cast<int>(r), isl_dim_out, static_cast<int>(r));
  if (dimension(points) == rows + 1)
    map = isl_map_order_lt(map, isl_dim_out, static_cast<int>(rows), isl_dim_in, static_cast<int>(rows));
  return points.apply(isl::manage(map));
}

/// Does the producer take in what the consumer does, as long as more is to come to it?
bool covers(const Seated &producer, const Seated &consumer) {
  const isl::set all = rolledPoints(producer), some = rolledPoints(consumer);
  if (dimension(all) != dimension(some)) return false;
  return some.subtract(all).intersect(before(all, static_cast<unsigned>(producer.member.rows.size()))).is_empty();
}

/// Is there a point that the consumer takes in and the producer does not?
bool strays(const Seated &producer, const Seated &consumer) {
  const isl::set all = rolledPoints(producer), some = rolledPoints(consumer);
  return dimension(all) != dimension(some) || !some.is_subset(all);
}

/// Does a reduction start from data?
bool startsFromData(const Equation &e) {
  bool data = e.initial && !symbols(e.initial).empty();
  if (e.initial) visit(e.initial, [&](const Expr &node) { data = data || node.op() == Op::Read; });
  return data;
}

/// The seat of a member of the phase that reduces without a mend; null: there is none.
const Seated *seatIn(const PhaseContext &context, int equation) {
  const auto own = std::find_if(context.seats.begin(), context.seats.end(), [&](const Seated &seated) {
    return seated.member.equation == equation && seated.member.mended < 0 && seated.equation.monoid;
  });
  return own == context.seats.end() ? nullptr : &*own;
}

/// May an element of the state come that counts, although the producer's running value is still `value`?
bool countsAt(const PhaseContext &context, const MendedStates &states, const Seated &seated, const PivotGroup &group,
              std::size_t k, double value) {
  const Seated *const producer = seatIn(context, group.producers[k]);
  if (!producer || (!startsFromData(producer->equation) && !covers(*producer, seated))) return true;
  const Correction &correction = correctionOf(context, seated);
  const std::map<std::string, Expr> bound = bindingsOfElements(context, states, seated, &group.pivots);
  Taken taken;
  taken.carry = correction.carry;
  taken.standIn = correction.nonzero.empty() ? classes::Zero : classes::Positive;
  for (const Expr &state : correction.state) taken.elements.push_back(realize(context, state, seated, bound));
  for (const std::string &symbol : group.symbols)
    visit(bound.at(symbol), [&](const Expr &node) {
      if (node.op() == Op::Read) taken.pivots.push_back(node);
    });
  const Expr made = realize(context, producer->equation.value, *producer);
  return !standsStill({made, *producer->equation.monoid, value}, taken);
}

/// The number a maximum or minimum starts from; an infinity where data say.
double startOf(const Equation &e) {
  if (!e.initial || startsFromData(e)) return neutral(*e.monoid, Type::Float64)->real;
  tile::Environment env;
  return tile::evaluate(e.initial, env).asReal();
}

/// The values of a group's reference, none of them regular, at which nothing that counts has come; absent: elements
/// never come before it is regular.
std::optional<std::vector<double>> harmless(const PhaseContext &context, const MendedStates &states,
                                            const PivotGroup &group) {
  const Correction &correction = correctionOf(context, seatOf(context, group.owner));
  const bool ratio = !correction.nonzero.empty();
  std::vector<double> values;
  bool never = !ratio;
  for (std::size_t k = 0; k < group.producers.size(); ++k) {
    const Equation &e = context.frame.equation(group.producers[k]);
    const bool extreme = e.monoid == Monoid::Max || e.monoid == Monoid::Min;
    if (!extreme) continue;
    const double start = startOf(e);
    if (!ratio && std::isfinite(start)) continue;
    const auto counts = [&](double value) {
      return std::any_of(context.seats.begin(), context.seats.end(), [&](const Seated &seated) {
        return seated.member.mended >= 0 && shares(states, seated, group) &&
               countsAt(context, states, seated, group, k, value);
      });
    };
    if (std::isnan(start) || counts(start))
      never = false;
    else
      values.push_back(start);
    if (ratio && start != 0 && !std::isnan(start) && !counts(0)) values.push_back(0);
  }
  if (never) return std::nullopt;
  return group.producers.size() == 1 ? values : std::vector<double>();
}

/// Does a row stand so?
Expr stands(const PhaseContext &context, const std::string &tile, Standing standing) {
  return Expr::make(Op::Eq, {Expr::read(tile, rowSubscripts(context), Type::Int32), numbered(standing)});
}

} // namespace

BlindRows::Blindness BlindRows::of(const PivotGroup &group) const {
  const auto known = found.find(group.owner);
  return known == found.end() ? Blindness{} : known->second;
}

/// May a mend magnify what is left of a sum of ratios? A reference that starts from zero and holds what it is compared
/// with only grows.
bool BlindRows::magnifying(const PhaseContext &context, const PivotGroup &group) const {
  const Correction &correction = correctionOf(context, seatOf(context, group.owner));
  const Blindness blind = of(group);
  if (context.frame.rectangular || !blind.isEver) return false;
  if (blind.strays) return true;
  if (correction.nonzero.empty()) return false;
  const bool harmlessZero = std::find(blind.harmless.begin(), blind.harmless.end(), 0) != blind.harmless.end();
  const Equation &first = context.frame.equation(group.producers[0]);
  return !(group.producers.size() == 1 && first.monoid == Monoid::Max && startOf(first) == 0 && harmlessZero);
}

/// Finds out whether elements may come before the reference is regular.
BlindRows::Blindness &BlindRows::look(const PhaseContext &context, const PivotGroup &group) {
  const auto [at, isNew] = found.try_emplace(group.owner);
  Blindness &blind = at->second;
  if (!isNew) return blind;
  const auto values = harmless(context, states, group);
  if (values) blind.harmless = *values;
  for (const Seated &seated : context.seats)
    for (const int producer : group.producers)
      if (const Seated *const made = seatIn(context, producer);
          context.share.inParts && !context.frame.rectangular && made && seated.member.mended >= 0)
        blind.strays = blind.strays || (shares(states, seated, group) && strays(*made, seated));
  blind.isEver = values.has_value() || blind.strays;
  return blind;
}

TileBlock BlindRows::note(const PhaseContext &context, const PivotGroup &group, const Expr &regular,
                          const std::map<std::string, Expr> &candidate, std::vector<TileAssign> &body) {
  if (!regular) return {};
  Blindness &blind = look(context, group);
  if (!blind.isEver) return {};
  TileBlock before;
  const bool mayMagnify = magnifying(context, group);
  if (blind.tile.empty()) {
    blind.tile = makeRowTile(context, context.frame.equation(group.producers[0]).array + "_blind", Type::Int32);
    if (mayMagnify)
      before = rowPoints(context, seatOf(context, group.owner),
                         {{{blind.tile, rowSubscripts(context)}, Update::Set, numbered(Untouched), {}}});
  }
  const auto choose = [](const Expr &condition, const Expr &a, const Expr &b) {
    return Expr::make(Op::Select, Type::Int32, {condition, a, b});
  };
  Expr none;
  for (const double value : blind.harmless) {
    const Expr &reference = candidate.at(group.symbols[0]);
    const Expr same = Expr::make(Op::Eq, {reference, Expr::real(value, reference.type())});
    none = none ? Expr::make(Op::Or, {none, same}) : same;
  }
  Expr now = choose(none ? Expr::make(Op::Or, {regular, none}) : regular, numbered(Seeing), numbered(Blind));
  if (mayMagnify) {
    const auto untouched = [&](Standing then) {
      return choose(stands(context, blind.tile, Untouched), numbered(then), numbered(Seeing));
    };
    now = choose(regular, untouched(First),
                 blind.strays ? numbered(Seeing)
                 : none       ? choose(none, untouched(Untouched), numbered(Blind))
                              : numbered(Blind));
  }
  body.push_back({{blind.tile, rowSubscripts(context)}, Update::Set, now, {}});
  return before;
}

Expr lost(const PhaseContext &context, const Seated &seated, Type type) {
  const Monoid carry = correctionOf(context, seated).carry;
  const double infinity = std::numeric_limits<double>::infinity();
  return Expr::real(carry == Monoid::Max   ? infinity
                    : carry == Monoid::Min ? -infinity
                                           : std::numeric_limits<double>::quiet_NaN(),
                    type);
}

void BlindRows::lose(const PhaseContext &context, const Seated &seated, std::vector<TileAssign> &body) const {
  const Blindness blind = of(pivotsOf(states, seated));
  if (blind.tile.empty()) return;
  for (const std::string &state : states.tiles.at(seated.member.equation))
    body.push_back({resultOf(context, seated, state), Update::Set, lost(context, seated, typeOfTile(context, state)),
                    stands(context, blind.tile, Blind)});
}

Expr BlindRows::magnifies(const PhaseContext &context, const Seated &seated, const Expr &state,
                          const Expr &factor) const {
  const PivotGroup &group = pivotsOf(states, seated);
  if (correctionOf(context, seated).carry != Monoid::Sum || !magnifying(context, group)) return {};
  return Expr::make(Op::And, {stands(context, of(group).tile, Seeing), magnifiesLost(state, factor)});
}

Expr BlindRows::magnifiesPart(const PhaseContext &context, const Seated &seated, const Expr &state,
                              const Expr &factor) {
  const PivotGroup &group = pivotsOf(states, seated);
  look(context, group);
  if (correctionOf(context, seated).carry != Monoid::Sum || !magnifying(context, group)) return {};
  return magnifiesLost(state, factor);
}

Expr BlindRows::leftPivot(const PhaseContext &context, const PivotGroup &group, std::size_t k) const {
  const Type type = context.frame.equation(group.producers[k]).type;
  Expr pivot = Expr::read(group.pivots[k], rowSubscripts(context), type);
  const Blindness blind = of(group);
  if (!magnifying(context, group) || blind.tile.empty()) return pivot;
  const Expr none = Expr::real(std::numeric_limits<double>::quiet_NaN(), type);
  return Expr::make(Op::Select, type, {stands(context, blind.tile, Untouched), none, pivot});
}

} // namespace polymend
