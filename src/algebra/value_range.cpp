// ValueRange arithmetic (Moore 1966) on expressions. A function of known range has it whatever its argument is (tanh,
// sin, cos, erf, atan), a monotone one maps the ends; fmin and fmax with a constant bound what nothing is known of. NaN
// is carried beside the interval: fmin and fmax lose it, a comparison-based extreme may take either operand for it. An
// operation that is not listed gives anything. Dependences between operands are not seen, except in a square.
#include "polymend/value_range.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace polymend {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Largest and smallest normal number of a floating type, and more than twice what an operation on it rounds.
struct Precision {
  double largest, smallest, rounding;
};

Precision precisionOf(Type type) {
  switch (type) {
  case Type::Float16: return {65504, 0x1p-14, 0x1p-9};
  case Type::BFloat16: return {0x1.fep+127, 0x1p-126, 0x1p-6};
  case Type::Float64: return {std::numeric_limits<double>::max(), std::numeric_limits<double>::min(), 0x1p-48};
  default: return {std::numeric_limits<float>::max(), std::numeric_limits<float>::min(), 0x1p-20};
  }
}

double outward(double end, double sign, const Precision &precision) {
  if (std::isinf(end)) return end;
  const double moved = end + sign * std::abs(end) * precision.rounding;
  if (std::abs(moved) > precision.largest) return moved > 0 ? infinity : -infinity;
  return moved;
}

/// The interval after rounding to a type; numbers below the smallest normal one may count as zero.
ValueRange rounded(const ValueRange &exact, Type type) {
  if (!isFloating(type)) return exact;
  const Precision precision = precisionOf(type);
  ValueRange result{outward(exact.low, -1, precision), outward(exact.high, 1, precision), exact.nan};
  if (std::abs(result.low) < precision.smallest) result.low = std::min(result.low, 0.0);
  if (std::abs(result.high) < precision.smallest) result.high = std::max(result.high, 0.0);
  if (result.low == infinity) result.low = precision.largest;
  if (result.high == -infinity) result.high = -precision.largest;
  return result;
}

ValueRange hull(const ValueRange &a, const ValueRange &b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.nan || b.nan};
}

ValueRange negated(const ValueRange &a) { return {-a.high, -a.low, a.nan}; }

ValueRange sum(const ValueRange &a, const ValueRange &b) {
  const bool opposed = (a.low == -infinity && b.high == infinity) || (a.high == infinity && b.low == -infinity);
  const double low = a.low + b.low, high = a.high + b.high;
  return {std::isnan(low) ? -infinity : low, std::isnan(high) ? infinity : high, a.nan || b.nan || opposed};
}

bool holdsZero(const ValueRange &a) { return a.low <= 0 && a.high >= 0; }
bool holdsInfinity(const ValueRange &a) { return !a.isBounded(); }

/// The hull of f at the ends; NaN there is the limit 0 * inf or inf / inf, between the other corners and zero.
template <class F> ValueRange corners(const ValueRange &a, const ValueRange &b, F f) {
  ValueRange result{infinity, -infinity, a.nan || b.nan};
  for (const double x : {a.low, a.high})
    for (const double y : {b.low, b.high}) {
      const double value = f(x, y), corner = std::isnan(value) ? 0 : value;
      result.low = std::min(result.low, corner);
      result.high = std::max(result.high, corner);
    }
  return result;
}

ValueRange product(const ValueRange &a, const ValueRange &b) {
  ValueRange result = corners(a, b, [](double x, double y) { return x * y; });
  result.nan = result.nan || (holdsZero(a) && holdsInfinity(b)) || (holdsInfinity(a) && holdsZero(b));
  return result;
}

ValueRange quotient(const ValueRange &a, const ValueRange &b) {
  if (holdsZero(b)) return {};
  ValueRange result = corners(a, b, [](double x, double y) { return x / y; });
  result.nan = result.nan || (holdsInfinity(a) && holdsInfinity(b));
  return result;
}

ValueRange magnitude(const ValueRange &a) {
  const double far = std::max(std::abs(a.low), std::abs(a.high));
  return {holdsZero(a) ? 0 : std::min(std::abs(a.low), std::abs(a.high)), far, a.nan};
}

/// The larger of two values where NaN loses, or where the first is taken unless it is less than the second.
ValueRange larger(const ValueRange &a, const ValueRange &b, bool nanLoses) {
  const double high = std::max(a.high, b.high);
  if (!nanLoses) return {b.nan ? a.low : std::max(a.low, b.low), high, a.nan};
  double low = std::max(a.low, b.low);
  if (a.nan) low = std::min(low, b.low);
  if (b.nan) low = std::min(low, a.low);
  return {low, high, a.nan && b.nan};
}

ValueRange smaller(const ValueRange &a, const ValueRange &b, bool nanLoses) {
  return negated(larger(negated(a), negated(b), nanLoses));
}

template <class F> ValueRange increasing(const ValueRange &a, F f) { return {f(a.low), f(a.high), a.nan}; }

/// A function whose values lie between two numbers; of an infinite argument it may be NaN.
ValueRange between(const ValueRange &argument, double low, double high, bool nanAtInfinity) {
  return {low, high, argument.nan || (nanAtInfinity && holdsInfinity(argument))};
}

ValueRange called(const std::string &function, const ValueRange &argument) {
  struct Known {
    std::string_view name;
    double low, high;
  };
  constexpr std::array<Known, 3> known{{{"erf", -1, 1}, {"erfc", 0, 2}, {"atan", -1.5708, 1.5708}}};
  std::string name = function.starts_with("std::") ? function.substr(5) : function;
  const auto named = [&](const std::string &wanted) {
    return std::find_if(known.begin(), known.end(), [&](const Known &k) { return k.name == wanted; });
  };
  auto at = named(name);
  if (at == known.end() && name.ends_with('f')) at = named(name.substr(0, name.size() - 1));
  return at == known.end() ? ValueRange() : between(argument, at->low, at->high, false);
}

ValueRange logarithm(const ValueRange &a, double (*log)(double)) {
  if (a.high < 0) return {};
  return {a.low > 0 ? log(a.low) : -infinity, log(a.high), a.nan || a.low < 0};
}

ValueRange exactRange(const Expr &e) {
  const auto of = [&](std::size_t k) { return rangeOf(e.arg(k)); };
  switch (e.op()) {
  case Op::Integer: return {static_cast<double>(e->integer), static_cast<double>(e->integer), false};
  case Op::Real: return std::isnan(e->real) ? ValueRange() : ValueRange{e->real, e->real, false};
  case Op::Lt:
  case Op::Le:
  case Op::Eq:
  case Op::Ne:
  case Op::And:
  case Op::Or:
  case Op::Not: return {0, 1, false};
  case Op::Select: return hull(of(1), of(2));
  case Op::Min: return smaller(of(0), of(1), false);
  case Op::Max: return larger(of(0), of(1), false);
  case Op::Cast: return isFloating(e.type()) ? of(0) : ValueRange();
  default: break;
  }
  if (!isFloating(e.type())) return {};
  switch (e.op()) {
  case Op::Neg: return negated(of(0));
  case Op::Add: return sum(of(0), of(1));
  case Op::Sub: return sum(of(0), negated(of(1)));
  case Op::Mul: return equal(e.arg(0), e.arg(1)) ? product(magnitude(of(0)), magnitude(of(0))) : product(of(0), of(1));
  case Op::Div: return quotient(of(0), of(1));
  case Op::FMin: return smaller(of(0), of(1), true);
  case Op::FMax: return larger(of(0), of(1), true);
  case Op::Abs: return magnitude(of(0));
  case Op::Exp: return increasing(of(0), [](double x) { return std::exp(x); });
  case Op::Exp2: return increasing(of(0), [](double x) { return std::exp2(x); });
  case Op::Tanh: return increasing(of(0), [](double x) { return std::tanh(x); });
  case Op::Floor: return increasing(of(0), [](double x) { return std::floor(x); });
  case Op::Ceil: return increasing(of(0), [](double x) { return std::ceil(x); });
  case Op::Round: return increasing(of(0), [](double x) { return std::round(x); });
  case Op::Trunc: return increasing(of(0), [](double x) { return std::trunc(x); });
  case Op::Log: return logarithm(of(0), std::log);
  case Op::Log2: return logarithm(of(0), std::log2);
  case Op::Sqrt: {
    const ValueRange a = of(0);
    if (a.high < 0) return {};
    return {std::sqrt(std::max(a.low, 0.0)), std::sqrt(a.high), a.nan || a.low < 0};
  }
  case Op::Sin:
  case Op::Cos: return between(of(0), -1, 1, true);
  case Op::Call: return e->args.size() == 1 ? called(e->name, of(0)) : ValueRange();
  default: return {};
  }
}

} // namespace

bool ValueRange::isBounded() const { return std::isfinite(low) && std::isfinite(high); }

ValueRange rangeOf(const Expr &e) { return rounded(exactRange(e), e.type()); }

} // namespace polymend
