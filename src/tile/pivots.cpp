// Pivots: the values of its producers that a mended state is taken at, what they are before any regular value, and when
// they move to the producers' running values.
#include "tile/evaluate.h"
#include "tile/phase.h"

#include <isl/set.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polymend {
namespace {

/// Matrix kernels scale pivots by constants: within this bound they stay finite. Rows beyond it are computed again.
constexpr double moderate = 0x1p100;

Expr largest(Type type) {
  if (type == Type::Float64) return Expr::real(std::numeric_limits<double>::max(), type);
  return Expr::real(std::numeric_limits<float>::max(), Type::Float32);
}

} // namespace

Expr isFinite(const Expr &value) {
  return Expr::make(Op::Le, {Expr::make(Op::Abs, value.type(), {value}), largest(value.type())});
}

Expr isModerate(const Expr &value) {
  if (value.type() != Type::Float32) return isFinite(value);
  return Expr::make(Op::Le, {Expr::make(Op::Abs, value.type(), {value}), Expr::real(moderate, Type::Float32)});
}

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

Expr both(const Expr &a, const Expr &b) { return !a ? b : !b ? a : Expr::make(Op::And, {a, b}); }

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
double boxedStandIn(const Correction &correction, Type type) {
  const double usual = correction.nonzero.empty() ? 0 : 1;
  if (type != Type::Float32 && type != Type::Float64) return usual;
  constexpr double large = moderate;
  for (const double candidate : {-large, large})
    if (mendsFinitely(correction, candidate, 1) && mendsFinitely(correction, candidate, -1000) &&
        mendsFinitely(correction, candidate, 1000))
      return candidate;
  return usual;
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

/// The pivots of a correction; corrections that watch the same producers under the same conditions share them.
PivotGroup &PhaseLowerer::pivotGroup(const Seated &seated) {
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)];
  const Correction &correction = mended.correction;
  std::string key;
  std::vector<int> producers;
  for (const std::string &symbol : correction.pivots) {
    const auto named =
        std::find_if(mended.names.begin(), mended.names.end(), [&](const auto &n) { return n.first == symbol; });
    producers.push_back(seated.equation.operands[static_cast<std::size_t>(named->second)].equation);
    key += std::to_string(producers.back()) + ",";
  }
  for (const Expr &e : correction.regular) key += show(e) + ";";
  for (const Expr &e : correction.nonzero) key += show(e) + "!";
  for (PivotGroup &group : pivotGroups)
    if (group.key == key) return group;
  PivotGroup group{key, correction.pivots, producers, {}, {}, {}, &seated, false, false, false, {}, {}};
  for (int producer : producers) {
    const Equation &e = frame.equation(producer);
    group.pivots.push_back(makeRowTile(e.array + "_pivot", e.type));
    group.nexts.push_back(makeRowTile(e.array + "_next", e.type));
    const Expr standIn = Expr::real(frame.boxed                  ? boxedStandIn(correction, e.type)
                                    : correction.nonzero.empty() ? 0
                                                                 : 1,
                                    e.type);
    append(prologue, rowPoints(seated, {{{group.pivots.back(), rowSubscripts()}, Update::Set, standIn, {}}}));
  }
  if (frame.boxed) group.moves = makeRowTile(frame.equation(producers[0]).array + "_moves", Type::Int32);
  pivotGroups.push_back(group);
  return pivotGroups.back();
}

/// The seat of a mended member of the phase.
const Seated *PhaseLowerer::mendedSeat(int equation) const {
  const auto own = std::find_if(seats.begin(), seats.end(), [&](const Seated &seated) {
    return seated.member.equation == equation && seated.member.mended >= 0;
  });
  return own == seats.end() ? nullptr : &*own;
}

/// Is a mended producer's state brought to its value by another sum, as a weighted mean is by the sum of the weights?
bool PhaseLowerer::finishesWithSum(int producer) const {
  const Seated *own = mendedSeat(producer);
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(own->member.mended)];
  const std::set<std::string> used = symbols(mended.correction.final);
  return std::any_of(mended.names.begin(), mended.names.end(), [&](const auto &named) {
    const int equation = own->equation.operands[static_cast<std::size_t>(named.second)].equation;
    return used.contains(named.first) && equation >= 0 && frame.equation(equation).monoid == Monoid::Sum;
  });
}

/// What a mended producer would be had its range ended here: its state, finished with the running values of the
/// producers that it waits for. Absent where the state is the value, which is read as that of any other producer.
Expr PhaseLowerer::finishedSoFar(int producer) {
  const Seated *own = mendedSeat(producer);
  if (own == nullptr) return {};
  const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(own->member.mended)];
  const Correction &correction = mended.correction;
  if (correction.final.op() == Op::Symbol) return {};
  std::map<std::string, Expr> bound = bindings(*own, correction.moves ? &pivotGroup(*own).pivots : nullptr, nullptr);
  for (const auto &[symbol, operand] : mended.names) {
    const int earlier = own->equation.operands[static_cast<std::size_t>(operand)].equation;
    const bool pivot = std::find(correction.pivots.begin(), correction.pivots.end(), symbol) != correction.pivots.end();
    if (earlier < 0 || pivot) continue;
    if (const Expr value = finishedSoFar(earlier)) bound[symbol] = value;
  }
  const Expr value = finalValue(*own, bound);
  return value.type() == own->equation.type ? value : Expr::cast(own->equation.type, value);
}

/// The value a pivot should move to: the producer's running value. A sum that is a mean of what was seen, because it is
/// finished with another running sum, is one as it stands; any other is extrapolated to the whole range, so that a mean
/// over all elements is watched as the mean of what was seen.
Expr PhaseLowerer::runningValue(const Seated &seated, int producer, bool last) {
  const Equation &p = frame.equation(producer);
  Expr finished = last ? Expr() : finishedSoFar(producer);
  if (finished && finishesWithSum(producer)) return finished;
  Expr value = finished ? finished : valueAt(producer, {});
  if (last || p.monoid != Monoid::Sum || rolledAxes.size() != 1) return value;
  Axes axes = seated.axes;
  const auto rolled = static_cast<unsigned>(seated.member.rolled[0]);
  const std::string name = "at";
  axes[rolled] = {name, {}, 0};
  std::vector<unsigned> order;
  for (int d : seated.member.rows)
    if (!axes[static_cast<unsigned>(d)].point.empty()) order.push_back(static_cast<unsigned>(d));
  order.push_back(rolled);
  for (unsigned d : seated.extras) axes[d] = {"x", {}, 0};
  const auto loops = loopsOver(pointSet(seated.equation.domain, axes, order), axes, order, frame.known);
  if (loops.size() != 1 || loops[0].inside) return value;
  const Expr low = loops[0].dims.back().first, high = loops[0].dims.back().limit;
  const Expr end = Expr::make(Op::Min, Type::Int64, {high, rolledAxes[0].base + Expr::integer(rolledAxes[0].extent)});
  const std::int64_t stride = partCount * rolledAxes[0].extent;
  const Expr chunks = Expr::make(Op::FloorDiv, Type::Int64, {rolledAxes[0].base - low, Expr::integer(stride)}) *
                      Expr::integer(rolledAxes[0].extent);
  const Expr seen = simplify(partCount > 1 ? chunks + (end - rolledAxes[0].base) : end - (partFirst ? partFirst : low));
  const Expr whole = Expr::cast(p.type, simplify(high - low));
  return value *
         Expr::make(Op::Div, {whole, Expr::cast(p.type, Expr::make(Op::Max, Type::Int64, {seen, Expr::integer(1)}))});
}

/// The entries, other than 0 and 1, of the mend of a member that uses the group's pivots.
std::vector<Expr> PhaseLowerer::mendEntries(const Seated &seated, const PivotGroup &group) const {
  std::vector<Expr> entries;
  if (seated.member.mended < 0) return entries;
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  if (!correction.moves || correction.pivots != group.symbols || &seated != group.owner) return entries;
  for (const std::vector<Expr> &row : correction.mend)
    for (const Expr &entry : row)
      if (!isOne(entry) && !isZero(entry)) entries.push_back(entry);
  return entries;
}

/// An entry of the mend from the pivots in use to the candidates.
Expr PhaseLowerer::moved(const Expr &entry, const Seated &seated, const PivotGroup &group,
                         const std::map<std::string, Expr> &candidate) const {
  std::map<std::string, Expr> bound = bindings(seated, &group.pivots, nullptr);
  for (const std::string &symbol : group.symbols) bound[symbol + "'"] = candidate.at(symbol);
  return realize(entry, seated, bound);
}

/// Where a state may be kept at any pivot, the pivot follows its producers only when the mend is no small factor: the
/// state's elements then stay within that factor of what they are at the producers' values. Absent: always follows.
Expr PhaseLowerer::movedFar(const Seated &seated, const PivotGroup &group,
                            const std::map<std::string, Expr> &candidate) const {
  constexpr double small = 256;
  Expr far;
  for (const Seated &other : seats) {
    if (other.member.mended < 0) continue;
    const Mended &mended = frame.relaxed.mended[static_cast<std::size_t>(other.member.mended)];
    const Correction &correction = mended.correction;
    if (!correction.moves || correction.pivots != group.symbols) continue;
    if (!correction.freePivot || correction.mend.size() != 1) return {};
    const Expr factor = moved(correction.mend[0][0], seated, group, candidate);
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

/// next := running value where it is regular, else the pivot in use.
TileBlock PhaseLowerer::movePivots(const Seated &seated, bool last) {
  const Correction &correction = frame.relaxed.mended[static_cast<std::size_t>(seated.member.mended)].correction;
  PivotGroup &group = pivotGroup(seated);
  std::map<std::string, Expr> candidate = bindings(seated, &group.pivots, nullptr);
  std::vector<TileAssign> body;
  const std::vector<Expr> at = rowSubscripts();
  Expr regular;
  for (std::size_t k = 0; k < group.symbols.size(); ++k) {
    candidate[group.symbols[k]] = runningValue(seated, group.producers[k], last);
    regular =
        both(regular, frame.boxed ? isModerate(candidate[group.symbols[k]]) : isFinite(candidate[group.symbols[k]]));
  }
  for (const Expr &e : correction.regular)
    if (e.op() != Op::Symbol) regular = both(regular, isFinite(realize(e, seated, candidate)));
  for (const Expr &divisor : pivotDivisors(correction)) {
    const Expr inverse = Expr::make(Op::Div, {Expr::real(1, divisor.type()), realize(divisor, seated, candidate)});
    const Expr size = Expr::make(Op::Abs, inverse.type(), {inverse});
    regular = both(regular, both(Expr::make(Op::Le, {smallest(inverse.type()), size}), isFinite(inverse)));
  }
  for (const Expr &e : correction.nonzero)
    regular = both(regular, Expr::make(Op::Ne, {realize(e, seated, candidate), Expr::real(0, e.type())}));
  if (!last) noteBlind(group, regular, candidate, body);
  if (frame.boxed) {
    for (const Seated &other : seats)
      for (const Expr &entry : mendEntries(other, group))
        regular = both(regular, staysFinite(moved(entry, seated, group, candidate)));
    if (!last)
      if (const Expr far = movedFar(seated, group, candidate)) regular = both(regular, far);
  }
  if (frame.boxed) {
    const Expr yes = Expr::integer(1, Type::Int32), no = Expr::integer(0, Type::Int32);
    body.push_back({{group.moves, at}, Update::Set, Expr::make(Op::Select, Type::Int32, {regular, yes, no}), {}});
    regular = moved(group);
  }
  for (std::size_t k = 0; k < group.symbols.size(); ++k) {
    const Expr value = candidate[group.symbols[k]];
    const Expr old = Expr::read(group.pivots[k], at, value.type());
    body.push_back(
        {{group.nexts[k], at}, Update::Set, Expr::make(Op::Select, value.type(), {regular, value, old}), {}});
  }
  return rowPoints(seated, body);
}

/// Does a row's pivot move? In registers that is kept: what happens to such rows only is asked for by it.
Expr PhaseLowerer::moved(const PivotGroup &group) const {
  if (frame.boxed)
    return Expr::make(Op::Ne, {Expr::read(group.moves, rowSubscripts(), Type::Int32), Expr::integer(0, Type::Int32)});
  Expr any;
  for (std::size_t k = 0; k < group.pivots.size(); ++k) {
    const Type own = frame.equation(group.producers[k]).type;
    const Expr differs = Expr::make(
        Op::Ne, {Expr::read(group.pivots[k], rowSubscripts(), own), Expr::read(group.nexts[k], rowSubscripts(), own)});
    any = any ? Expr::make(Op::Or, {any, differs}) : differs;
  }
  return any;
}

/// Is this the last member of the phase that shares the group's pivots?
bool PhaseLowerer::lastOf(const PivotGroup &group, const Seated &seated) {
  const Seated *last = nullptr;
  for (const Seated &other : seats) {
    if (other.member.mended < 0 ||
        !frame.relaxed.mended[static_cast<std::size_t>(other.member.mended)].correction.moves)
      continue;
    if (pivotGroup(other).key == group.key) last = &other;
  }
  return last == &seated;
}

/// pivot := next.
TileBlock PhaseLowerer::settle(const Seated &seated, const PivotGroup &group) {
  std::vector<TileAssign> body;
  for (std::size_t k = 0; k < group.pivots.size(); ++k)
    body.push_back({{group.pivots[k], rowSubscripts()},
                    Update::Set,
                    Expr::read(group.nexts[k], rowSubscripts(), frame.equation(group.producers[k]).type),
                    {}});
  return rowPoints(seated, body);
}

} // namespace polymend
