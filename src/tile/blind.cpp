// Before a reference is regular a stand-in serves as the pivot. What is taken in about it may underflow where the
// source, about the true reference, keeps it: 0 from then on, and no test of the result sees that. Such rows are blind.
// Their states become no numbers (an infinity for a maximum), so that they are computed again; likewise where a mend
// magnifies a state that was near underflow. No element is lost where the reference is what it starts from, or zero,
// only as long as none that counts has come: this is looked at on samples of what both read. A part of the loop that
// the reference's own range does not reach keeps its stand-in to the end: there, only what a mend magnifies is lost.
#include "tile/evaluate.h"
#include "tile/phase.h"

#include <isl/set.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace polymend {
namespace {

/// Where a row stands: it has a regular reference, elements came in without one, nothing came yet, or its reference is
/// regular for the first time.
enum Standing { Seeing, Blind, Untouched, First };

Expr numbered(Standing standing) { return Expr::integer(standing, Type::Int32); }

/// Expressions over reads and comparisons as symbols, so that what both read has one name.
class Sampled {
public:
  Expr abstracted(const Expr &e, std::set<std::string> &found) {
    return rewrite(e, [&](const Expr &node) {
      const bool compares = node.op() == Op::Lt || node.op() == Op::Le || node.op() == Op::Eq || node.op() == Op::Ne;
      if (compares || (node.type() == Type::Bool && node.op() == Op::Read)) return named(node, conditions);
      if (node.op() == Op::Symbol && isInteger(node.type())) integers.insert(node->name);
      if (node.op() == Op::Symbol && isFloating(node.type())) scalars.insert(node->name);
      return node.op() == Op::Read ? named(node, found) : node;
    });
  }

  /// A draw of everything; what the producer reads may be `start`.
  tile::Environment draw(std::mt19937 &random, double start) const {
    constexpr double usual[] = {-2, 0, 1.5, 3};
    tile::Environment env;
    for (const std::string &name : integers) env.integers[name] = static_cast<std::int64_t>(random() % 5);
    for (const std::string &name : conditions)
      env.scalars[name] = tile::Number::whole(static_cast<std::int64_t>(random() % 2));
    for (const auto *names : {&scalars, &consumed, &produced})
      for (const std::string &name : *names) env.scalars[name] = tile::Number::real(usual[random() % 4]);
    for (const std::string &name : produced)
      if (random() % 3 == 0) env.scalars[name] = tile::Number::real(start);
    return env;
  }

  std::set<std::string> consumed, produced; // reads of the one and of the other

private:
  std::set<std::string> conditions, integers, scalars;

  static Expr named(const Expr &node, std::set<std::string> &among) {
    among.insert("of " + show(node));
    return Expr::symbol("of " + show(node), node.type());
  }
};

/// The points of the rows and of the loop that an equation's domain holds.
isl::set rolledPoints(const Seated &seated) {
  std::vector<unsigned> order;
  for (int d : seated.member.rows) order.push_back(static_cast<unsigned>(d));
  for (int d : seated.member.rolled) order.push_back(static_cast<unsigned>(d));
  return pointSet(seated.equation.domain, Axes(seated.equation.dims.size(), Axis{"x", {}, 0}), order);
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

} // namespace

/// Has an element of the state come that counts, although the producer's running value is still `value`?
bool PhaseLowerer::countsAt(const Seated &seated, const PivotGroup &group, std::size_t k, double value) {
  constexpr int draws = 3000;
  const Seated *const producer = seatIn(group.producers[k]);
  if (!producer || (!startsFromData(producer->equation) && !covers(*producer, seated))) return true;
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  const Correction &correction = mended.correction;
  const bool least = producer->equation.monoid == Monoid::Min;
  const double none = neutral(correction.carry, Type::Float64)->real;
  Sampled sampled;
  const Expr made = sampled.abstracted(realize(producer->equation.value, *producer), sampled.produced);
  const std::map<std::string, Expr> bound = bindings(seated, &group.pivots, nullptr);
  std::set<std::string> pivots;
  for (const std::string &symbol : group.symbols) static_cast<void>(sampled.abstracted(bound.at(symbol), pivots));
  std::vector<Expr> elements;
  for (const Expr &state : correction.state)
    elements.push_back(sampled.abstracted(realize(state, seated, bound), sampled.consumed));
  std::mt19937 random(1);
  for (int n = 0; n < draws; ++n) {
    tile::Environment env = sampled.draw(random, value);
    for (const std::string &pivot : pivots) env.scalars[pivot] = tile::Number::real(correction.nonzero.empty() ? 0 : 1);
    const double running = tile::evaluate(made, env).asReal();
    if (env.fault) return true;
    if (std::isnan(running) || (least ? running < value : running > value)) continue;
    bool counts = false, finite = true;
    for (const Expr &element : elements) {
      const double taken = tile::evaluate(element, env).asReal();
      finite = finite && std::isfinite(taken);
      counts = counts || taken != none;
    }
    if (env.fault || (counts && finite)) return true;
  }
  return false;
}

/// The seat of a member of the phase that reduces without a mend; null: there is none.
const Seated *PhaseLowerer::seatIn(int equation) const {
  const auto own = std::find_if(seats.begin(), seats.end(), [&](const Seated &seated) {
    return seated.member.equation == equation && seated.member.mended < 0 && seated.equation.monoid;
  });
  return own == seats.end() ? nullptr : &*own;
}

/// The number a maximum or minimum starts from; an infinity where data say.
double PhaseLowerer::startOf(const Equation &e) {
  if (!e.initial || startsFromData(e)) return neutral(*e.monoid, Type::Float64)->real;
  tile::Environment env;
  return tile::evaluate(e.initial, env).asReal();
}

/// The values of a group's reference, none of them regular, at which nothing that counts has come; absent: elements
/// never come before it is regular.
std::optional<std::vector<double>> PhaseLowerer::harmless(const PivotGroup &group) {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(group.owner->member.mended)].correction;
  const bool ratio = !correction.nonzero.empty();
  std::vector<double> values;
  bool never = !ratio;
  for (std::size_t k = 0; k < group.producers.size(); ++k) {
    const Equation &e = frame.equation(group.producers[k]);
    const bool extreme = e.monoid == Monoid::Max || e.monoid == Monoid::Min;
    if (!extreme) continue;
    const double start = startOf(e);
    if (!ratio && std::isfinite(start)) continue;
    const auto counts = [&](double value) {
      return std::any_of(seats.begin(), seats.end(), [&](const Seated &seated) {
        return seated.member.mended >= 0 && shares(seated, group) && countsAt(seated, group, k, value);
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

bool PhaseLowerer::shares(const Seated &seated, const PivotGroup &group) {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  return correction.moves && pivotGroup(seated).key == group.key;
}

/// May a mend magnify what is left of a sum of ratios? A reference that starts from zero and holds what it is compared
/// with only grows.
bool PhaseLowerer::magnifying(const PivotGroup &group) const {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(group.owner->member.mended)].correction;
  if (frame.boxed || !group.isEverBlind) return false;
  if (group.strays) return true;
  if (correction.nonzero.empty()) return false;
  const bool harmlessZero = std::find(group.harmless.begin(), group.harmless.end(), 0) != group.harmless.end();
  const Equation &first = frame.equation(group.producers[0]);
  return !(group.producers.size() == 1 && first.monoid == Monoid::Max && startOf(first) == 0 && harmlessZero);
}

/// Finds out whether elements may come before the reference is regular.
void PhaseLowerer::lookForBlind(PivotGroup &group) {
  if (group.looked) return;
  group.looked = true;
  const auto values = harmless(group);
  group.isEverBlind = values.has_value();
  if (values) group.harmless = *values;
  for (const Seated &seated : seats)
    for (const int producer : group.producers)
      if (const Seated *const made = seatIn(producer); inParts && !frame.boxed && made && seated.member.mended >= 0)
        group.strays = group.strays || (shares(seated, group) && strays(*made, seated));
  group.isEverBlind = group.isEverBlind || group.strays;
}

/// The tile that says of each row where it stands.
void PhaseLowerer::makeBlind(PivotGroup &group) {
  if (!group.blind.empty()) return;
  group.blind = makeRowTile(frame.equation(group.producers[0]).array + "_blind", Type::Int32);
  if (magnifying(group))
    append(prologue, rowPoints(*group.owner, {{{group.blind, rowSubscripts()}, Update::Set, numbered(Untouched), {}}}));
}

/// Notes in which rows elements may now be taken in about a stand-in; `regular`: where the reference may be the pivot.
void PhaseLowerer::noteBlind(PivotGroup &group, const Expr &regular, const std::map<std::string, Expr> &candidate,
                             std::vector<TileAssign> &body) {
  if (!regular) return;
  lookForBlind(group);
  if (!group.isEverBlind) return;
  makeBlind(group);
  const auto choose = [](const Expr &condition, const Expr &a, const Expr &b) {
    return Expr::make(Op::Select, Type::Int32, {condition, a, b});
  };
  Expr none;
  for (const double value : group.harmless) {
    const Expr &reference = candidate.at(group.symbols[0]);
    const Expr same = Expr::make(Op::Eq, {reference, Expr::real(value, reference.type())});
    none = none ? Expr::make(Op::Or, {none, same}) : same;
  }
  Expr now = choose(none ? Expr::make(Op::Or, {regular, none}) : regular, numbered(Seeing), numbered(Blind));
  if (magnifying(group)) {
    const auto untouched = [&](Standing then) {
      return choose(stands(group, Untouched), numbered(then), numbered(Seeing));
    };
    const Expr blind = numbered(Blind);
    now = choose(regular, untouched(First),
                 group.strays ? numbered(Seeing)
                 : none       ? choose(none, untouched(Untouched), blind)
                              : blind);
  }
  body.push_back({{group.blind, rowSubscripts()}, Update::Set, now, {}});
}

/// Does a row stand so?
Expr PhaseLowerer::stands(const PivotGroup &group, int standing) const {
  return Expr::make(Op::Eq,
                    {Expr::read(group.blind, rowSubscripts(), Type::Int32), Expr::integer(standing, Type::Int32)});
}

/// What no state ever is by itself where a row is right: it stays so to the end.
Expr PhaseLowerer::lost(const Seated &seated, Type type) const {
  const Monoid carry = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction.carry;
  const double infinity = std::numeric_limits<double>::infinity();
  return Expr::real(carry == Monoid::Max   ? infinity
                    : carry == Monoid::Min ? -infinity
                                           : std::numeric_limits<double>::quiet_NaN(),
                    type);
}

/// Assignments, after the mend of a state, to those of the rows that are blind.
void PhaseLowerer::loseBlind(const Seated &seated, std::vector<TileAssign> &body) {
  const PivotGroup &group = pivotGroup(seated);
  if (group.blind.empty()) return;
  for (const std::string &state : states.at(seated.member.equation))
    body.push_back({resultOf(seated, state), Update::Set, lost(seated, typeOfTile(state)), stands(group, Blind)});
}

namespace {

/// Whether a sum of this type is so near underflow that what was lost there counts.
Expr nearUnderflow(const Expr &state) {
  const bool wide = state.type() == Type::Float64;
  const double least = wide ? std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon()
                            : std::numeric_limits<float>::min() / std::numeric_limits<float>::epsilon();
  return Expr::make(Op::Lt, {Expr::make(Op::Abs, state.type(), {state}), Expr::real(least, state.type())});
}

/// A factor that brings to light what was lost in a state near underflow.
constexpr double smallFactor = 256;

/// Is it larger than `small`?
Expr magnified(const Expr &factor, double small = smallFactor) {
  return Expr::make(Op::Lt, {Expr::real(small, factor.type()), Expr::make(Op::Abs, factor.type(), {factor})});
}

/// The factor that counts where the source divides by a producer before it multiplies; less for values that it
/// multiplies by themselves, which are small together. Absent: the source does not.
std::optional<double> countsAfterDivision(const Candidate &candidate) {
  constexpr double largeFactor = 0x1p20;
  const auto waits = [&](const std::set<std::string> &names) {
    return std::any_of(candidate.symbols.begin(), candidate.symbols.end(), [&](const AlgebraSymbol &symbol) {
      return symbol.role == AlgebraSymbol::Role::Producer && names.contains(symbol.name);
    });
  };
  const auto divides = [&](const Expr &e) {
    bool found = false;
    visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Div && waits(symbols(node.arg(1)))); });
    return found;
  };
  std::optional<double> result;
  visit(candidate.element, [&](const Expr &node) {
    if (node.op() != Op::Mul && node.op() != Op::Pow) return;
    const std::set<std::string> left = symbols(node.arg(0)), right = symbols(node.arg(1));
    const auto twice = [&](const std::string &name) { return right.contains(name); };
    const bool itself = node.op() == Op::Pow || std::any_of(left.begin(), left.end(), twice);
    if (itself && waits(symbols(node))) result = smallFactor;
    if (!result && (divides(node.arg(0)) || divides(node.arg(1)))) result = largeFactor;
  });
  return result;
}

} // namespace

/// Where a mend by `factor`, not the first, would magnify what is left of a state near underflow; absent: it never
/// does.
Expr PhaseLowerer::magnifies(const Seated &seated, const Expr &state, const Expr &factor) {
  const PivotGroup &group = pivotGroup(seated);
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  if (correction.carry != Monoid::Sum || !magnifying(group)) return {};
  return Expr::make(Op::And, {stands(group, Seeing), Expr::make(Op::And, {magnified(factor), nearUnderflow(state)})});
}

/// The same of a part that is brought to the final pivot: one whose pivot is no number took in nothing.
Expr PhaseLowerer::magnifiesPart(const Seated &seated, const Expr &state, const Expr &factor) {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  PivotGroup &group = pivotGroup(seated);
  lookForBlind(group);
  if (correction.carry != Monoid::Sum || !magnifying(group)) return {};
  return Expr::make(Op::And, {magnified(factor), nearUnderflow(state)});
}

/// The pivot that a part leaves; no number where it took in nothing.
Expr PhaseLowerer::leftPivot(const PivotGroup &group, std::size_t k) {
  const Type type = frame.equation(group.producers[k]).type;
  Expr pivot = Expr::read(group.pivots[k], rowSubscripts(), type);
  if (!magnifying(group) || group.blind.empty()) return pivot;
  const Expr none = Expr::real(std::numeric_limits<double>::quiet_NaN(), type);
  return Expr::make(Op::Select, type, {stands(group, Untouched), none, pivot});
}

/// Marks the rows in which a sum, far smaller than the result that is made of it, lost what the source keeps.
TileBlock PhaseLowerer::markLost(const Seated &seated, const std::map<std::string, Expr> &bound,
                                 const std::string &mark) {
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  const Correction &correction = mended.correction;
  const bool isSum = correction.carry == Monoid::Sum && correction.state.size() == 1 && !correction.moves;
  const std::optional<double> counts = countsAfterDivision(mended.candidate);
  if (!isSum || frame.boxed || !counts) return {};
  std::map<std::string, Expr> one = bound;
  const Expr &state = bound.at("#0");
  one["#0"] = Expr::real(1, state.type());
  const Expr factor = realize(correction.final, seated, one);
  const Expr is = Expr::make(Op::And, {magnified(factor, *counts), nearUnderflow(state)});
  const Expr yes = Expr::integer(1, Type::Int32), no = Expr::integer(0, Type::Int32);
  const Ref at{mark, rowSubscripts()};
  TileBlock block = rowPoints(seated, {{at, Update::Set, no, {}}});
  append(block, keyPoints(seated, {{at, Update::Max, Expr::make(Op::Select, Type::Int32, {is, yes, no}), {}}}, true));
  return block;
}

} // namespace polymend
