// The span of e is a pair of expressions over parameters with least <= e <= most for every turn of the loops around: a
// linear e is extreme where each loop variable is at one of its bounds; else each operation gives the span of its
// result from those of its operands. Where no turn runs, a span may be empty, and nothing is computed. A condition is
// tested in 64 bits where that cannot overflow, else in doubles: sums and products of numbers >= 0 are monotone when
// rounded, and exact below 2^53; where terms may cancel, their magnitudes must stay below 2^52.
#include "wraps.h"

#include "polymend/element_types.h"
#include "polymend/word_functions.h"

#include <algorithm>
#include <array>

namespace polymend {

namespace {

struct Span {
  Expr least, most;
};

using MaybeSpan = std::optional<Span>;

constexpr std::int64_t Exact = std::int64_t{1} << 52;

Expr make(Op op, const Expr &a, const Expr &b) { return simplify(Expr::make(op, Type::Int64, {a, b})); }

bool isConstant(const Expr &e, std::int64_t least) { return e.op() == Op::Integer && e->integer >= least; }

/// What values e takes over all values of its parameters; absent: it is not over parameters alone.
std::optional<Interval> limitsOf(const Expr &e, const Knowledge &knowledge) {
  bool known = true;
  const Interval result = intervalOf(e, [&](const Expr &leaf) {
    const auto at = leaf.op() == Op::Symbol ? knowledge.parameters.find(leaf->name) : knowledge.parameters.end();
    known = known && at != knowledge.parameters.end();
    return known ? at->second : Interval{};
  });
  return known ? std::optional(result) : std::nullopt;
}

/// The largest or least value of a linear e over the loops around; absent where it is not linear in one of them.
Expr extreme(Expr e, bool largest, const Knowledge &knowledge) {
  for (std::size_t k = knowledge.loops.size(); k-- > 0;) {
    const LoopRange &loop = knowledge.loops[k];
    const auto factor = coefficient(e, loop.variable);
    if (!factor) return {};
    if (*factor == 0) continue;
    const Expr &bound = (*factor > 0) == largest ? loop.upper : loop.lower;
    if (!bound) return {};
    e = simplify(substitute(e, [&](const std::string &name) { return name == loop.variable ? bound : Expr(); }));
  }
  return limitsOf(e, knowledge) ? e : Expr();
}

MaybeSpan spanOf(const Expr &e, const Knowledge &knowledge);

MaybeSpan spanOfSymbol(const Expr &e, const Knowledge &knowledge) {
  if (knowledge.parameters.contains(e->name)) return Span{e, e};
  for (std::size_t k = 0; k < knowledge.loops.size(); ++k) {
    const LoopRange &loop = knowledge.loops[k];
    if (loop.variable != e->name || !loop.lower || !loop.upper) continue;
    Knowledge outside = knowledge;
    outside.loops.resize(k);
    const MaybeSpan lower = spanOf(loop.lower, outside), upper = spanOf(loop.upper, outside);
    return lower && upper ? MaybeSpan({lower->least, upper->most}) : std::nullopt;
  }
  return std::nullopt;
}

MaybeSpan spanOfProduct(const Expr &e, const Span &a, const Span &b, const Knowledge &knowledge) {
  const auto overflows = [](const Expr &x, const Expr &y) {
    std::int64_t product = 0;
    return x.op() == Op::Integer && y.op() == Op::Integer && __builtin_mul_overflow(x->integer, y->integer, &product);
  };
  for (const Expr &x : {a.least, a.most})
    for (const Expr &y : {b.least, b.most})
      if (overflows(x, y)) return std::nullopt;
  if (isNonNegative(e.arg(0), knowledge) && isNonNegative(e.arg(1), knowledge))
    return Span{make(Op::Mul, a.least, b.least), make(Op::Mul, a.most, b.most)};
  const std::array all{make(Op::Mul, a.least, b.least), make(Op::Mul, a.least, b.most), make(Op::Mul, a.most, b.least),
                       make(Op::Mul, a.most, b.most)};
  const auto best = [&](Op op) { return make(op, make(op, all[0], all[1]), make(op, all[2], all[3])); };
  return Span{best(Op::Min), best(Op::Max)};
}

MaybeSpan spanOfQuotient(const Expr &e, const Span &a, const Span &b, const Knowledge &knowledge) {
  const bool positive = isConstant(b.least, 1) && equal(b.least, b.most);
  const bool nonNegative = isNonNegative(e.arg(0), knowledge);
  const Expr zero = Expr::integer(0);
  switch (e.op()) {
  case Op::Div:
  case Op::FloorDiv:
    if (positive) return Span{make(e.op(), a.least, b.least), make(e.op(), a.most, b.least)};
    if (!isNonNegative(e.arg(1), knowledge)) return std::nullopt; // else it is nearer to 0 than what is divided
    return nonNegative ? Span{zero, a.most} : Span{make(Op::Min, a.least, zero), make(Op::Max, a.most, zero)};
  default:
    if (positive) {
      const Expr most = Expr::integer(b.least->integer - 1);
      const bool below = e.op() == Op::Mod && !nonNegative;
      return Span{below ? make(Op::Sub, zero, most) : zero, most};
    }
    return nonNegative && isNonNegative(e.arg(1), knowledge) ? MaybeSpan({zero, a.most}) : std::nullopt;
  }
}

/// Of an element: all that its type holds.
MaybeSpan spanOfType(Type type) {
  if (type == Type::Bool) return Span{Expr::integer(0), Expr::integer(1)};
  if (type == Type::Int64 || isFloating(type)) return std::nullopt;
  const Interval limits = polymend::limitsOf(type);
  return Span{Expr::integer(*limits.low()), Expr::integer(*limits.high())};
}

/// Of an operation on bits, whose operands are known as numbers.
MaybeSpan spanOfBits(const Expr &e, const Span &a, const Span &b, const Knowledge &knowledge) {
  const auto numbers = [&](const Span &of) -> std::optional<Interval> {
    const auto least = limitsOf(of.least, knowledge), most = limitsOf(of.most, knowledge);
    return least && most ? std::optional(Interval{least->least, most->most}) : std::nullopt;
  };
  const auto left = numbers(a), right = numbers(b);
  const Interval all = left && right ? intervalOf(e.op(), *left, *right) : Interval{};
  if (e.op() == Op::ShiftLeft && !holds(polymend::limitsOf(e.type()), all)) return spanOfType(e.type());
  return all.low() && all.high() ? MaybeSpan({Expr::integer(*all.low()), Expr::integer(*all.high())}) : std::nullopt;
}

/// Of a conversion to int: what it converts where that fits.
MaybeSpan spanOfInt(const Expr &e, const Knowledge &knowledge) {
  const MaybeSpan span = spanOf(e, knowledge);
  const auto least = span ? limitsOf(span->least, knowledge) : std::nullopt;
  const auto most = span ? limitsOf(span->most, knowledge) : std::nullopt;
  const Interval all = polymend::limitsOf(Type::Int32);
  return least && most && holds(all, *least) && holds(all, *most) ? span : spanOfType(Type::Int32);
}

MaybeSpan structural(const Expr &e, const Knowledge &knowledge) {
  if (e.op() == Op::Integer) return Span{e, e};
  if (e.op() == Op::Symbol) return spanOfSymbol(e, knowledge);
  if (e.op() == Op::Call && words::isCount(e->name)) return Span{Expr::integer(0), Expr::integer(64)};
  if (e.op() == Op::Read || e.type() == Type::Bool || isShort(e.type())) return spanOfType(e.type());
  if (e.op() == Op::Cast && isFloating(e.arg(0).type())) return spanOfType(e.type());
  if (e.op() == Op::Cast && e.type() == Type::Int32) return spanOfInt(e.arg(0), knowledge);
  if (e.op() == Op::Cast && isInteger(e.type())) return spanOf(e.arg(0), knowledge);
  if (e->args.empty() || e->args.size() > 3 || !isInteger(e.type())) return std::nullopt;
  const MaybeSpan a = spanOf(e.arg(e.op() == Op::Select ? 1 : 0), knowledge), b = spanOf(e->args.back(), knowledge);
  if (!a || !b) return std::nullopt;
  switch (e.op()) {
  case Op::Neg: return Span{make(Op::Sub, Expr::integer(0), a->most), make(Op::Sub, Expr::integer(0), a->least)};
  case Op::Add: return Span{make(Op::Add, a->least, b->least), make(Op::Add, a->most, b->most)};
  case Op::Sub: return Span{make(Op::Sub, a->least, b->most), make(Op::Sub, a->most, b->least)};
  case Op::Mul: return spanOfProduct(e, *a, *b, knowledge);
  case Op::Min:
  case Op::Max: return Span{make(e.op(), a->least, b->least), make(e.op(), a->most, b->most)};
  case Op::Select: return Span{make(Op::Min, a->least, b->least), make(Op::Max, a->most, b->most)};
  case Op::Div:
  case Op::FloorDiv:
  case Op::Mod:
  case Op::FloorMod: return spanOfQuotient(e, *a, *b, knowledge);
  case Op::BitAnd:
  case Op::BitOr:
  case Op::BitXor:
  case Op::ShiftLeft:
  case Op::ShiftRight: return spanOfBits(e, *a, *b, knowledge);
  default: return std::nullopt;
  }
}

MaybeSpan spanOf(const Expr &e, const Knowledge &knowledge) {
  const Expr least = extreme(e, false, knowledge), most = extreme(e, true, knowledge);
  return least && most ? MaybeSpan({least, most}) : structural(e, knowledge);
}

/// Can e be computed in 64 bits whatever its parameters are?
bool fitsWord(const Expr &e, const Knowledge &knowledge) {
  bool all = true;
  visit(e, [&](const Expr &node) {
    const auto limits = limitsOf(node, knowledge);
    all = all && limits && -(Wide{1} << 62) < limits->least && limits->most < (Wide{1} << 62);
  });
  return all;
}

/// Do terms of a sum in doubles cancel, so that what was rounded before shows?
bool mayCancel(const Expr &e, const Knowledge &knowledge) {
  if (e->args.empty() || fitsWord(e, knowledge)) return false;
  const auto negative = [&](const Expr &term) { return !isNonNegative(term, knowledge); };
  if (e.op() == Op::Sub || (e.op() == Op::Add && std::any_of(e->args.begin(), e->args.end(), negative))) return true;
  return std::any_of(e->args.begin(), e->args.end(), [&](const Expr &arg) { return mayCancel(arg, knowledge); });
}

Expr inDoubles(Op op, const std::vector<Expr> &args) { return Expr::make(op, Type::Float64, args); }

/// Does a value of at least that many doubles stand for quotients and remainders, which it is no less than?
bool holdsQuotients(const Expr &e, const Knowledge &knowledge) {
  if (fitsWord(e, knowledge)) return false;
  return isDivision(e.op()) ||
         std::any_of(e->args.begin(), e->args.end(), [&](const Expr &arg) { return holdsQuotients(arg, knowledge); });
}

/// What is no less than e: without what it takes away that is >= 0, wherever more of an operand is more of e.
Expr loosened(const Expr &e, const Knowledge &knowledge) {
  const auto is = [&](const Expr &part) { return isNonNegative(part, knowledge); };
  const auto all = [&] {
    ExprNode node = *e;
    for (Expr &arg : node.args) arg = loosened(arg, knowledge);
    return Expr(std::move(node));
  };
  switch (e.op()) {
  case Op::Sub: return is(e.arg(1)) ? loosened(e.arg(0), knowledge) : e;
  case Op::Add:
  case Op::Min:
  case Op::Max: return all();
  case Op::Mul:
    for (std::size_t k = 0; k < 2; ++k)
      if (e.arg(k).op() == Op::Integer && e.arg(k)->integer < 0 && is(e.arg(1 - k))) return Expr::integer(0);
    return is(e.arg(0)) && is(e.arg(1)) ? all() : e;
  case Op::Div:
  case Op::FloorDiv:
    if (const Expr more = loosened(e.arg(0), knowledge); is(e.arg(1)) && is(more)) // else the quotient is below 0
      return Expr::make(e.op(), e.type(), {more, e.arg(1)});
    return e;
  default: return e;
  }
}

/// e in doubles, or the sum of the magnitudes of its terms; absent: it holds an operation that doubles round otherwise.
/// A quotient of numbers >= 0 is no more than that of the doubles, and a remainder no more than either number.
Expr doubled(const Expr &e, bool magnitude, const Knowledge &knowledge) {
  if (e.op() == Op::Integer) {
    const std::int64_t value = magnitude && e->integer < 0 ? -e->integer : e->integer;
    return value < Exact && value > -Exact ? Expr::real(static_cast<double>(value), Type::Float64) : Expr();
  }
  if (fitsWord(e, knowledge) || e.op() == Op::Symbol) {
    const Expr value = Expr::cast(Type::Float64, withoutTraps(e));
    return magnitude && !isNonNegative(e, knowledge) ? inDoubles(Op::Abs, {value}) : value;
  }
  std::vector<Expr> args;
  for (const Expr &arg : e->args) {
    args.push_back(doubled(arg, magnitude, knowledge));
    if (!args.back()) return {};
  }
  if (magnitude && e.op() == Op::Neg) return args[0];
  if (magnitude && (e.op() == Op::Sub || e.op() == Op::Min || e.op() == Op::Max)) return inDoubles(Op::Add, args);
  const bool plain = e.op() == Op::Neg || e.op() == Op::Add || e.op() == Op::Sub || e.op() == Op::Mul ||
                     e.op() == Op::Min || e.op() == Op::Max;
  if (plain) return inDoubles(e.op(), args);
  const bool divides = isDivision(e.op()) && isNonNegative(e.arg(0), knowledge) && isNonNegative(e.arg(1), knowledge);
  if (!divides || magnitude) return {};
  const bool isRest = e.op() == Op::Mod || e.op() == Op::FloorMod;
  return isRest ? inDoubles(Op::Min, args) : inDoubles(Op::Div, args);
}

Expr atMost(const Expr &a, const Expr &b) { return Expr::make(Op::Le, {a, b}); }

/// Adds e <= limit or limit <= e, computed so that nothing wraps; false: that is not possible.
bool addTest(const Expr &e, Wide limit, bool upper, const Knowledge &knowledge, std::vector<Expr> &conditions) {
  const auto compare = [&](const Expr &value, const Expr &bound) {
    conditions.push_back(upper ? atMost(value, bound) : atMost(bound, value));
  };
  if (e.op() == (upper ? Op::Max : Op::Min))
    return addTest(e.arg(0), limit, upper, knowledge, conditions) &&
           addTest(e.arg(1), limit, upper, knowledge, conditions);
  if (e.op() == Op::Integer) return upper ? e->integer <= limit : e->integer >= limit;
  const bool shifted = (e.op() == Op::Add || e.op() == Op::Sub) && e.arg(0).op() == Op::Symbol &&
                       e.arg(1).op() == Op::Integer && fitsWord(e.arg(1), knowledge);
  const Wide shift = !shifted ? 0 : e.op() == Op::Add ? Wide{e.arg(1)->integer} : -Wide{e.arg(1)->integer};
  const Wide bound = limit - shift;
  if (e.op() == Op::Symbol || shifted) {
    if (bound < INT64_MIN || bound > INT64_MAX) return false;
    compare(shifted ? e.arg(0) : e, Expr::integer(static_cast<std::int64_t>(bound)));
    return true;
  }
  if (limit >= INT64_MIN && limit <= INT64_MAX && fitsWord(e, knowledge)) {
    compare(withoutTraps(e), Expr::integer(static_cast<std::int64_t>(limit)));
    return true;
  }
  const bool quotients = holdsQuotients(e, knowledge);
  const Expr farther = quotients && upper && limit > Exact ? simplify(loosened(e, knowledge)) : e;
  if (quotients && (!upper || mayCancel(farther, knowledge))) return false;
  const Expr value = doubled(farther, false, knowledge);
  if (!value) return false;
  const Wide safe = std::clamp(limit, -(Wide{1} << 62), Wide{1} << 62);
  compare(value, Expr::real(static_cast<double>(safe), Type::Float64));
  if (!mayCancel(farther, knowledge)) return true;
  const Expr magnitude = doubled(e, true, knowledge);
  if (magnitude) conditions.push_back(atMost(magnitude, Expr::real(static_cast<double>(Exact), Type::Float64)));
  return static_cast<bool>(magnitude);
}

bool within(Wide value) { return value >= INT64_MIN && value <= INT64_MAX; }

} // namespace

std::optional<std::vector<Expr>> conditionsOf(const Expr &value, const Interval &limits, const Knowledge &knowledge) {
  const Expr e = simplify(value);
  const MaybeSpan span = spanOf(e, knowledge);
  const auto lowest = span ? limitsOf(span->least, knowledge) : std::nullopt;
  const auto highest = span ? limitsOf(span->most, knowledge) : std::nullopt;
  const auto least = [&] { return Expr::integer(static_cast<std::int64_t>(limits.least)); };
  const auto most = [&] { return Expr::integer(static_cast<std::int64_t>(limits.most)); };
  const bool fromBelow =
      (lowest && lowest->least >= limits.least) || (within(limits.least) && isNonNegative(e - least(), knowledge));
  const bool fromAbove =
      (highest && highest->most <= limits.most) || (within(limits.most) && isNonNegative(most() - e, knowledge));
  if (!(fromBelow && fromAbove) && !isOverSymbols(e)) return std::nullopt;
  std::vector<Expr> conditions;
  if (!fromBelow &&
      (!lowest || lowest->most <= limits.least || !addTest(span->least, limits.least, false, knowledge, conditions)))
    return std::nullopt;
  if (!fromAbove &&
      (!highest || highest->least >= limits.most || !addTest(span->most, limits.most, true, knowledge, conditions)))
    return std::nullopt;
  return conditions;
}

Interval valuesOf(const Expr &e, const Knowledge &knowledge) {
  return intervalOf(e, [&](const Expr &leaf) {
    if (leaf.op() == Op::Call && words::isCount(leaf->name)) return Interval{0, 64};
    const bool converts = leaf.op() == Op::Cast && !isFloating(leaf.arg(0).type()) && isInteger(leaf.type());
    const Interval held = polymend::limitsOf(converts ? leaf.arg(0).type() : leaf.type());
    const MaybeSpan span = leaf.op() == Op::Symbol ? spanOfSymbol(leaf, knowledge) : std::nullopt;
    const auto least = span ? limitsOf(span->least, knowledge) : std::nullopt;
    const auto most = span ? limitsOf(span->most, knowledge) : std::nullopt;
    return least && most ? Interval{std::max(held.least, least->least), std::min(held.most, most->most)} : held;
  });
}

bool staysInWords(const Expr &e, const Knowledge &knowledge) {
  if (e.op() == Op::Read || e.op() == Op::Call) return true; // an address is one modulo 2^64, and so is a word
  const bool isNumber = !isFloating(e.type()) && e.type() != Type::Bool;
  const Interval values = isNumber ? valuesOf(e, knowledge) : Interval{0, 0};
  return values.least >= INT64_MIN && values.most <= INT64_MAX &&
         std::all_of(e->args.begin(), e->args.end(), [&](const Expr &arg) { return staysInWords(arg, knowledge); });
}

} // namespace polymend
