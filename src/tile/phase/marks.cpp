// A row is regular where all that its result was made of is finite and what it was divided by is not small.
#include "marks.h"

#include "conditions.h"
#include "magnified.h"
#include "pivots.h"
#include "regions.h"
#include "sees_size.h"
#include "values.h"

#include <algorithm>

namespace polymend {
namespace {

/// The least size of what a state is divided by at the end: below it, what underflows in the state would be seen in the
/// result.
Expr leastDivisor(Type type) {
  constexpr double ofFloats = 0x1p-60, ofDoubles = 0x1p-500;
  return type == Type::Float64 ? Expr::real(ofDoubles, type) : Expr::real(ofFloats, Type::Float32);
}

/// Either condition; each may be absent.
Expr either(const Expr &a, const Expr &b) { return a && b ? Expr::make(Op::Or, {a, b}) : a ? a : b; }

/// Divisions of what is made of a state, on the way from it to the value: of more than the state itself.
std::vector<Expr> divisionsAfter(const std::string &state, const Expr &value) {
  std::vector<Expr> result;
  visit(value, [&](const Expr &node) {
    if (node.op() != Op::Div || node.arg(0).op() == Op::Symbol) return;
    if (symbols(node.arg(0)).contains(state) && !symbols(node.arg(1)).contains(state)) result.push_back(node);
  });
  return result;
}

/// That a product of a state and a small factor, which is divided afterwards, lost digits that the state has.
Expr lostBeforeDivision(const PhaseContext &context, const Seated &seated, const std::string &state,
                        const std::map<std::string, Expr> &alone, double counts) {
  Expr lost;
  for (const Expr &division : divisionsAfter(state, correctionOf(context, seated).final)) {
    const Expr product = realize(context, division.arg(0), seated, alone);
    const Expr divisor = realize(context, division.arg(1), seated, alone);
    const Expr factor = Expr::make(Op::Div, {Expr::real(1, divisor.type()), divisor});
    if (reads(factor)) lost = either(lost, magnifiesLost(alone.at(state), product, factor, counts));
  }
  return lost;
}

/// That a sum, far smaller than the result that is made of it, lost what the source keeps; absent: it never is.
Expr lostInState(const PhaseContext &context, const Seated &seated, const std::map<std::string, Expr> &bound) {
  const Mended &mended = mendedOf(context, seated);
  const Correction &correction = mended.correction;
  const std::optional<double> counts = countsAfterDivision(mended.candidate);
  if (!counts) return {};
  Expr lost;
  const std::set<std::string> used = symbols(correction.final);
  for (std::size_t k = 0; k < correction.state.size(); ++k) {
    const std::string name = "#" + std::to_string(k);
    if (!used.contains(name) || symbols(correction.state[k]).empty()) continue;
    std::map<std::string, Expr> alone = bound;
    for (std::size_t other = 0; other < correction.state.size(); ++other)
      if (other != k) alone["#" + std::to_string(other)] = Expr::real(0, bound.at(name).type());
    std::map<std::string, Expr> one = alone;
    one[name] = Expr::real(1, bound.at(name).type());
    const Expr factor = realize(context, correction.final, seated, one);
    if (!reads(factor)) continue; // a number of the source's own
    lost = either(lost, magnifiesLost(bound.at(name), bound.at(name), factor, *counts));
    lost = either(lost, lostBeforeDivision(context, seated, name, alone, *counts));
  }
  return lost;
}

/// That the result is so small that the source's terms may have underflowed where these did not, or these alone, where
/// that is seen; absent: it never is, or the sum is the source's own.
Expr lostAtTheEnd(const PhaseContext &context, const Seated &seated, const std::map<std::string, Expr> &bound) {
  const Correction &correction = correctionOf(context, seated);
  if (correction.final.op() == Op::Symbol || !seesSize(context.frame.system, seated.member.equation)) return {};
  const auto sums = [](const Expr &state) { return !symbols(state).empty(); }; // not only counts
  if (std::none_of(correction.state.begin(), correction.state.end(), sums)) return {};
  return nearUnderflow(finalValue(context, seated, bound));
}

/// Does the value differ between the keys that a row of the tile holds?
bool dependsOnKeys(const Expr &value, const Seated &seated) {
  const std::set<std::string> used = symbols(value);
  return std::any_of(seated.extras.begin(), seated.extras.end(), [&](unsigned d) {
    const std::set<std::string> own = symbols(seated.axes[d].global());
    return std::any_of(own.begin(), own.end(), [&](const std::string &name) { return used.contains(name); });
  });
}

/// The products by which a value is divided: the source divides by their factors one by one, and a product of these may
/// leave the range of its type where none of them does.
std::vector<Expr> productsDividedBy(const Expr &value) {
  std::vector<Expr> result;
  visit(value, [&](const Expr &node) {
    if (node.op() == Op::Div && isFloating(node.type()) && node.arg(1).op() == Op::Mul) result.push_back(node.arg(1));
  });
  return result;
}

} // namespace

TileBlock markFallback(const PhaseContext &context, const MendedStates &states, const Seated &seated,
                       const std::string &bad, Update rows, bool values) {
  const Mended &mended = mendedOf(context, seated);
  const std::map<std::string, Expr> bound = bindings(context, states, seated, nullptr, nullptr);
  const Ref mark{bad, rowSubscripts(context)};
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
    if (constantPivotOfProducer(context.frame.relaxed, producer)) continue;
    const Expr last = valueAt(context, producer, {});
    const double bound = mended.correction.moves ? pivotBound(context, states, pivotsOf(states, seated)) : moderate;
    require(context.frame.boundedParts ? isWithin(bound, last) : isFinite(last));
  }
  if (mended.correction.moves) {
    const PivotGroup &group = pivotsOf(states, seated);
    const std::vector<std::string> &pivots = finalPivots(context, states, seated);
    for (std::size_t k = 0; k < pivots.size(); ++k) {
      const Type type = context.frame.equation(group.producers[k]).type;
      require(Expr::make(
          Op::Eq, {Expr::read(pivots[k], rowSubscripts(context), type), valueAt(context, group.producers[k], {})}));
    }
  }
  for (const Expr &e : mended.correction.singular) requireDivisor(realize(context, e, seated, bound));
  for (const Expr &e : productsDividedBy(mended.correction.final)) requireDivisor(realize(context, e, seated, bound));
  TileBlock block;
  const bool ofKeys = regular && dependsOnKeys(regular, seated);
  const Expr always = Expr::integer(1, Type::Bool);
  if (regular || rows == Update::Set)
    block = rowPoints(context, seated, {{mark, rows, markUnless(regular && !ofKeys ? regular : always), {}}});
  if (ofKeys) append(block, keyPoints(context, seated, {{mark, Update::Max, markUnless(regular), {}}}, true));
  if (!values) return block;
  const Ref result = resultOf(context, seated, states.tiles.at(seated.member.equation)[0]);
  const Expr value = Expr::read(result.array, result.subscripts, seated.equation.type);
  append(block, keyPoints(context, seated, {{mark, Update::Max, markUnless(isFinite(value)), {}}}, true));
  return block;
}

TileBlock markImages(const PhaseContext &context, const Seated &seated, const std::map<std::string, Expr> &bound,
                     const std::string &mark) {
  const Correction &correction = correctionOf(context, seated);
  if (correction.carry != Monoid::Max && correction.carry != Monoid::Min) return {};
  const Ref at{mark, rowSubscripts(context)};
  const Expr regular =
      Expr::make(Op::And, {isFinite(bound.at("#0")), isFinite(realize(context, correction.final, seated, bound))});
  TileBlock block = rowPoints(context, seated, {{at, Update::Set, Expr::integer(0, Type::Int32), {}}});
  append(block, keyPoints(context, seated, {{at, Update::Max, markUnless(regular), {}}}, true));
  return block;
}

TileBlock markLost(const PhaseContext &context, const Seated &seated, const std::map<std::string, Expr> &bound,
                   const std::string &mark) {
  if (context.frame.rectangular || correctionOf(context, seated).carry != Monoid::Sum) return {};
  Expr lost;
  for (const Expr &one : {lostInState(context, seated, bound), lostAtTheEnd(context, seated, bound)})
    if (one) lost = lost ? Expr::make(Op::Or, {lost, one}) : one;
  if (!lost) return {};
  const Expr yes = Expr::integer(1, Type::Int32), no = Expr::integer(0, Type::Int32);
  const Ref at{mark, rowSubscripts(context)};
  TileBlock block = rowPoints(context, seated, {{at, Update::Set, no, {}}});
  const Expr marked = Expr::make(Op::Select, Type::Int32, {lost, yes, no});
  append(block, keyPoints(context, seated, {{at, Update::Max, marked, {}}}, true));
  return block;
}

TileBlock markInfinite(const PhaseContext &context, const Seated &seated) {
  const std::string name = makeRowTile(context, seated.equation.array + "_fallback", Type::Int32);
  const Ref mark{name, rowSubscripts(context)},
      result = resultOf(context, seated, context.frame.homes.at(seated.member.equation).array);
  const Expr value = Expr::read(result.array, result.subscripts, seated.equation.type);
  TileBlock block = rowPoints(context, seated, {{mark, Update::Set, Expr::integer(0, Type::Int32), {}}});
  append(block, keyPoints(context, seated, {{mark, Update::Max, markUnless(isFinite(value)), {}}}, true));
  context.frame.marks.push_back(name);
  return block;
}

} // namespace polymend
