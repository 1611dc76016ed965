// A pivot moves where the running values of its producers are regular: finite, with finite mends and inverses. In
// rectangular kernels it stays, where it may, until the mend is no small factor.
#include "pivots.h"

#include "conditions.h"
#include "regions.h"
#include "values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polymend {
namespace {

Expr smallest(Type type) {
  return type == Type::Float64 ? Expr::real(std::numeric_limits<double>::min(), type)
                               : Expr::real(std::numeric_limits<float>::min(), Type::Float32);
}

/// Is an entry of a mend finite? An exponential is where its argument is no larger than 88: e^88 < 2^127.
Expr staysFinite(const Expr &entry) {
  constexpr double largestExponent = 88;
  if (entry.op() != Op::Exp || entry.type() != Type::Float32) return isFinite(entry);
  return Expr::make(Op::Le, {entry.arg(0), Expr::real(largestExponent)});
}

} // namespace

std::vector<Expr> pivotDivisors(const Correction &correction) {
  std::vector<Expr> result;
  for (const Expr &state : correction.state)
    visit(state, [&](const Expr &node) {
      if (node.op() != Op::Div || !isFloating(node.type())) return;
      const std::set<std::string> used = symbols(node.arg(1));
      const bool pivots = !used.empty() && std::all_of(used.begin(), used.end(), [&](const std::string &name) {
        return std::find(correction.pivots.begin(), correction.pivots.end(), name) != correction.pivots.end();
      });
      const bool isNew =
          std::none_of(result.begin(), result.end(), [&](const Expr &other) { return equal(other, node.arg(1)); });
      if (pivots && isNew) result.push_back(node.arg(1));
    });
  return result;
}

namespace {

/// The seat of a mended member of the phase.
const Seated *mendedSeat(const PhaseContext &context, int equation) {
  const auto own = std::find_if(context.seats.begin(), context.seats.end(), [&](const Seated &seated) {
    return seated.member.equation == equation && seated.member.mended >= 0;
  });
  return own == context.seats.end() ? nullptr : &*own;
}

/// Is a mended producer's state brought to its value by another sum, as a weighted mean is by the sum of the weights?
bool finishesWithSum(const PhaseContext &context, int producer) {
  const Seated *own = mendedSeat(context, producer);
  const Mended &mended = mendedOf(context, *own);
  const std::set<std::string> used = symbols(mended.correction.final);
  return std::any_of(mended.names.begin(), mended.names.end(), [&](const auto &named) {
    const int equation = own->equation.operands[static_cast<std::size_t>(named.second)].equation;
    return used.contains(named.first) && equation >= 0 && context.frame.equation(equation).monoid == Monoid::Sum;
  });
}

/// What a mended producer would be had its range ended here: its state, finished with the running values of the
/// producers that it waits for. Absent where the state is the value, which is read as that of any other producer.
Expr finishedSoFar(const PhaseContext &context, const MendedStates &states, int producer) {
  const Seated *own = mendedSeat(context, producer);
  if (own == nullptr) return {};
  const Mended &mended = mendedOf(context, *own);
  const Correction &correction = mended.correction;
  if (correction.final.op() == Op::Symbol) return {};
  std::map<std::string, Expr> bound =
      bindings(context, states, *own, correction.moves ? &pivotsOf(states, *own).pivots : nullptr, nullptr);
  for (const auto &[symbol, operand] : mended.names) {
    const int earlier = own->equation.operands[static_cast<std::size_t>(operand)].equation;
    const bool pivot = std::find(correction.pivots.begin(), correction.pivots.end(), symbol) != correction.pivots.end();
    if (earlier < 0 || pivot) continue;
    if (const Expr value = finishedSoFar(context, states, earlier)) bound[symbol] = value;
  }
  const Expr value = finalValue(context, *own, bound);
  return value.type() == own->equation.type ? value : Expr::cast(own->equation.type, value);
}

/// How many of the elements from `low` on lie before `end`, in the turns of this part up to the present one.
Expr seenInTurns(const PhaseContext &context, const Expr &low, const Expr &end) {
  const LoopShare &share = context.share;
  const Expr zero = Expr::integer(0), extent = Expr::integer(context.rolled[0].extent), &base = context.rolled[0].base;
  const Expr stride = Expr::integer(share.count * context.rolled[0].extent);
  const auto op = [](Op what, const Expr &a, const Expr &b) { return Expr::make(what, Type::Int64, {a, b}); };
  Expr all = op(Op::FloorDiv, base - share.first, stride) * extent + (end - base);
  if (equal(low, share.begins)) return all;
  const Expr turns = op(Op::Max, op(Op::FloorDiv, low - share.first, stride), zero);
  const Expr rest = op(Op::Max, low - share.first - turns * stride, zero);
  return all - turns * extent - op(Op::Min, rest, extent);
}

Expr atLeast(const Expr &e, std::int64_t least) { return Expr::make(Op::Max, Type::Int64, {e, Expr::integer(least)}); }

/// The ranges of the innermost loops, each once.
std::vector<PointDim> differentRanges(const std::vector<PointLoops> &loops) {
  std::vector<PointDim> ranges;
  for (const PointLoops &one : loops) {
    const auto isSame = [&](const PointDim &range) {
      return equal(range.first, one.dims.back().first) && equal(range.limit, one.dims.back().limit);
    };
    if (std::ranges::none_of(ranges, isSame)) ranges.push_back(one.dims.back());
  }
  return ranges;
}

/// How many of the range's elements this part has taken in up to the end of the present turn. Of one range that parts
/// take in turns it is exact; of several about as many as of all parts together.
Expr seenOf(const PhaseContext &context, const PointDim &range, bool isOnly) {
  const LoopShare &share = context.share;
  const Expr end =
      Expr::make(Op::Min, Type::Int64, {range.limit, context.rolled[0].base + Expr::integer(context.rolled[0].extent)});
  if (share.count > 1 && isOnly) return seenInTurns(context, range.first, end);
  const Expr from = !share.first          ? range.first
                    : isZero(range.first) ? share.first
                                          : Expr::make(Op::Max, Type::Int64, {range.first, share.first});
  if (share.count <= 1) return end - from;
  return Expr::make(Op::FloorDiv, Type::Int64, {end - from, Expr::integer(share.count)});
}

/// The value a pivot should move to: the producer's running value. A sum that is a mean of what was seen, because it is
/// finished with another running sum, is one as it stands; any other is extrapolated to the whole range, so that a mean
/// over all elements is watched as the mean of what was seen.
Expr runningValue(const PhaseContext &context, const MendedStates &states, int producer, bool last) {
  const Equation &p = context.frame.equation(producer);
  Expr finished = last ? Expr() : finishedSoFar(context, states, producer);
  if (finished && finishesWithSum(context, producer)) return finished;
  Expr value = finished ? finished : valueAt(context, producer, {});
  if (last || p.monoid != Monoid::Sum || context.rolled.size() != 1) return value;
  const Seated &own = seatOf(context, producer);
  Axes axes = own.axes;
  const auto rolled = static_cast<unsigned>(own.member.rolled[0]);
  axes[rolled] = {"[rolled]", {}, 0}; // no variable of the source
  std::vector<unsigned> order;
  for (int d : own.member.rows)
    if (!axes[static_cast<unsigned>(d)].point.empty()) order.push_back(static_cast<unsigned>(d));
  order.push_back(rolled);
  for (unsigned d : own.extras) axes[d] = {"[x]", {}, 0};
  const auto loops = loopsOver(pointSet(p.domain, axes, order), axes, order, context.frame.known);
  const std::vector<PointDim> ranges = differentRanges(loops);
  if (ranges.empty()) return value;
  const bool isOne = ranges.size() == 1;
  Expr seen, whole;
  for (const PointDim &range : ranges) {
    const Expr part = seenOf(context, range, isOne), all = range.limit - range.first;
    seen = isOne ? part : seen ? seen + atLeast(part, 0) : atLeast(part, 0);
    whole = isOne ? all : whole ? whole + atLeast(all, 0) : atLeast(all, 0);
  }
  const Expr share = Expr::cast(p.type, atLeast(simplify(seen), 1));
  return value * Expr::make(Op::Div, {Expr::cast(p.type, simplify(whole)), share});
}

/// The entries, other than 0 and 1, of the mend of a member that uses the group's pivots.
std::vector<Expr> mendEntries(const PhaseContext &context, const Seated &seated, const PivotGroup &group) {
  std::vector<Expr> entries;
  if (seated.member.mended < 0) return entries;
  const Correction &correction = correctionOf(context, seated);
  if (!correction.moves || correction.pivots != group.symbols || seated.member.equation != group.owner) return entries;
  for (const std::vector<Expr> &row : correction.mend)
    for (const Expr &entry : row)
      if (!isOne(entry) && !isZero(entry)) entries.push_back(entry);
  return entries;
}

/// An entry of the mend from the pivots in use to the candidates.
Expr moved(const PhaseContext &context, const MendedStates &states, const Expr &entry, const Seated &seated,
           const PivotGroup &group, const std::map<std::string, Expr> &candidate) {
  std::map<std::string, Expr> bound = bindings(context, states, seated, &group.pivots, nullptr);
  for (const std::string &symbol : group.symbols) bound[symbol + "'"] = candidate.at(symbol);
  return realize(context, entry, seated, bound);
}

/// Where a state may be kept at any pivot, the pivot follows its producers only when the mend is no small factor: the
/// state's elements then stay within that factor of what they are at the producers' values. Absent: always follows.
Expr movedFar(const PhaseContext &context, const MendedStates &states, const Seated &seated, const PivotGroup &group,
              const std::map<std::string, Expr> &candidate) {
  constexpr double small = 256;
  Expr far;
  for (const Seated &other : context.seats) {
    if (other.member.mended < 0) continue;
    const Mended &mended = mendedOf(context, other);
    const Correction &correction = mended.correction;
    if (!correction.moves || correction.pivots != group.symbols) continue;
    if (!correction.freePivot || correction.mend.size() != 1) return {};
    const Expr factor = moved(context, states, correction.mend[0][0], seated, group, candidate);
    if (factor.type() != Type::Float32) return {};
    const auto outside = [&](const Expr &low, const Expr &high) {
      return Expr::make(Op::Not, Type::Bool, {Expr::make(Op::Le, {low, high})});
    };
    // 1 / small <= e^x <= small where |x| <= log small
    const Expr leaves =
        factor.op() == Op::Exp
            ? outside(Expr::make(Op::Abs, Type::Float32, {factor.arg(0)}), Expr::real(std::log(small)))
            : Expr::make(Op::Or, {outside(Expr::real(1 / small), factor), outside(factor, Expr::real(small))});
    far = !far ? leaves : equal(far, leaves) ? far : Expr::make(Op::Or, {far, leaves});
  }
  return far;
}

} // namespace

Expr moved(const PhaseContext &context, const PivotGroup &group) {
  if (context.frame.rectangular)
    return Expr::make(Op::Ne,
                      {Expr::read(group.moves, rowSubscripts(context), Type::Int32), Expr::integer(0, Type::Int32)});
  Expr any;
  for (std::size_t k = 0; k < group.pivots.size(); ++k) {
    const Type own = context.frame.equation(group.producers[k]).type;
    const Expr differs = Expr::make(Op::Ne, {Expr::read(group.pivots[k], rowSubscripts(context), own),
                                             Expr::read(group.nexts[k], rowSubscripts(context), own)});
    any = any ? Expr::make(Op::Or, {any, differs}) : differs;
  }
  return any;
}

bool lastOf(const PhaseContext &context, const MendedStates &states, const Seated &seated) {
  const PivotGroup &group = pivotsOf(states, seated);
  int last = -1;
  for (const Seated &other : context.seats)
    if (shares(states, other, group)) last = other.member.equation;
  return last == seated.member.equation;
}

/// A chunk updates the producers before it moves the pivots, by the same conditions as at the end where these speak of
/// pivots and sizes alone; the last chunk has seen a producer's whole range, so that a sum is extrapolated by 1. Where
/// no chunk runs the states are those of nothing, at whatever pivot.
bool standsAtTheEnd(const PhaseContext &context, const MendedStates &states, const Seated &seated) {
  if (context.frame.rectangular || context.share.inParts) return false;
  const PivotGroup &group = pivotsOf(states, seated);
  const Correction &correction = correctionOf(context, seatOf(context, group.owner));
  std::vector<Expr> asked = correction.regular;
  asked.insert(asked.end(), correction.nonzero.begin(), correction.nonzero.end());
  const auto &names = mendedOf(context, seatOf(context, group.owner)).names;
  const auto isFixed = [&](const std::string &name) {
    return std::ranges::find(group.symbols, name) != group.symbols.end() || // a pivot, or a size
           std::ranges::none_of(names, [&](const auto &named) { return named.first == name; });
  };
  const auto speaksOfPivots = [&](const Expr &e) { return std::ranges::all_of(symbols(e), isFixed); };
  return std::all_of(asked.begin(), asked.end(), speaksOfPivots) &&
         std::all_of(group.producers.begin(), group.producers.end(),
                     [&](int producer) { return mendedSeat(context, producer) == nullptr; });
}

const std::vector<std::string> &finalPivots(const PhaseContext &context, const MendedStates &states,
                                            const Seated &seated) {
  const PivotGroup &group = pivotsOf(states, seated);
  return standsAtTheEnd(context, states, seated) ? group.pivots : group.nexts;
}

TileBlock settle(const PhaseContext &context, const MendedStates &states, const Seated &seated) {
  const PivotGroup &group = pivotsOf(states, seated);
  std::vector<TileAssign> body;
  for (std::size_t k = 0; k < group.pivots.size(); ++k)
    body.push_back({{group.pivots[k], rowSubscripts(context)},
                    Update::Set,
                    Expr::read(group.nexts[k], rowSubscripts(context), context.frame.equation(group.producers[k]).type),
                    {}});
  return rowPoints(context, seated, body);
}

double pivotBound(const PhaseContext &context, const MendedStates &states, const PivotGroup &group) {
  const auto isInExponent = [](const Expr &element) {
    bool found = false;
    visit(element, [&](const Expr &e) { found = found || e.op() == Op::Exp || e.op() == Op::Exp2; });
    return found;
  };
  for (const Seated &seated : context.seats)
    if (shares(states, seated, group) && std::ranges::any_of(correctionOf(context, seated).state, isInExponent))
      return moderateExponent;
  return moderate;
}

Emitted movePivots(const PhaseContext &context, const MendedStates &states, BlindRows &blind, const Seated &seated,
                   bool last) {
  const Correction &correction = correctionOf(context, seated);
  const PivotGroup &group = pivotsOf(states, seated);
  std::map<std::string, Expr> candidate = bindings(context, states, seated, &group.pivots, nullptr);
  std::vector<TileAssign> body;
  const std::vector<Expr> at = rowSubscripts(context);
  Expr regular;
  for (std::size_t k = 0; k < group.symbols.size(); ++k) {
    candidate[group.symbols[k]] = runningValue(context, states, group.producers[k], last);
    const Expr &value = candidate[group.symbols[k]];
    regular = both(regular,
                   context.frame.rectangular ? isWithin(pivotBound(context, states, group), value) : isFinite(value));
  }
  for (const Expr &e : correction.regular)
    if (e.op() != Op::Symbol) regular = both(regular, isFinite(realize(context, e, seated, candidate)));
  for (const Expr &divisor : pivotDivisors(correction)) {
    const Expr inverse =
        Expr::make(Op::Div, {Expr::real(1, divisor.type()), realize(context, divisor, seated, candidate)});
    const Expr size = Expr::make(Op::Abs, inverse.type(), {inverse});
    regular = both(regular, both(Expr::make(Op::Le, {smallest(inverse.type()), size}), isFinite(inverse)));
  }
  for (const Expr &e : correction.nonzero)
    regular = both(regular, Expr::make(Op::Ne, {realize(context, e, seated, candidate), Expr::real(0, e.type())}));
  Emitted moves;
  if (!last) moves.before = blind.note(context, group, regular, candidate, body);
  if (context.frame.rectangular) {
    for (const Seated &other : context.seats)
      for (const Expr &entry : mendEntries(context, other, group))
        regular = both(regular, staysFinite(moved(context, states, entry, seated, group, candidate)));
    if (!last)
      if (const Expr far = movedFar(context, states, seated, group, candidate)) regular = both(regular, far);
  }
  if (context.frame.rectangular) {
    const Expr yes = Expr::integer(1, Type::Int32), no = Expr::integer(0, Type::Int32);
    body.push_back({{group.moves, at}, Update::Set, Expr::make(Op::Select, Type::Int32, {regular, yes, no}), {}});
    regular = moved(context, group);
  }
  for (std::size_t k = 0; k < group.symbols.size(); ++k) {
    const Expr value = candidate[group.symbols[k]];
    const Expr old = Expr::read(group.pivots[k], at, value.type());
    body.push_back(
        {{group.nexts[k], at}, Update::Set, Expr::make(Op::Select, value.type(), {regular, value, old}), {}});
  }
  moves.body = rowPoints(context, seated, body);
  return moves;
}

} // namespace polymend
