// Arithmetic on classes of floating-point values, by IEEE 754: an operation on sets is the union over pairs of classes,
// and each pair gives every class that some choice of members can have.
#include "polymend/classes.h"

#include <algorithm>
#include <cmath>

namespace polymend {
namespace {

using namespace classes;

constexpr Classes infinite = MinusInfinity | PlusInfinity;

Classes negated(Classes a) {
  Classes result = a & (NaN | Zero);
  if (a & MinusInfinity) result |= PlusInfinity;
  if (a & PlusInfinity) result |= MinusInfinity;
  if (a & Negative) result |= Positive;
  if (a & Positive) result |= Negative;
  return result;
}

/// The union of `f` over the classes in `a`.
template <class F> Classes each(Classes a, const F &f) {
  Classes result = 0;
  for (Classes one = NaN; one <= PlusInfinity; one <<= 1)
    if (a & one) result |= f(one);
  return result;
}

template <class F> Classes eachPair(Classes a, Classes b, const F &f) {
  return each(a, [&](Classes x) { return each(b, [&](Classes y) { return f(x, y); }); });
}

Classes sum(Classes a, Classes b) {
  if ((a | b) & NaN) return NaN;
  if ((a | b) & infinite) return (a | b) == infinite ? NaN : (a | b) & infinite;
  if (a == Zero) return b;
  if (b == Zero) return a;
  if (a != b) return Finite;
  return a == Positive ? Positive | PlusInfinity : Negative | MinusInfinity;
}

bool isBelow(Classes a) { return (a & (Negative | MinusInfinity)) != 0; }

/// Magnitudes `size` with the sign of a product or quotient of a and b.
Classes signedAs(Classes a, Classes b, Classes size) { return isBelow(a) != isBelow(b) ? negated(size) : size; }

Classes product(Classes a, Classes b) {
  if ((a | b) & NaN) return NaN;
  if ((a | b) & infinite) return (a | b) & Zero ? NaN : signedAs(a, b, PlusInfinity);
  return (a | b) & Zero ? Zero : signedAs(a, b, Zero | Positive | PlusInfinity);
}

Classes quotient(Classes a, Classes b) {
  if ((a | b) & NaN) return NaN;
  if (b & infinite) return a & infinite ? NaN : Zero;
  if (b == Zero) return a == Zero ? NaN : infinite;
  if (a == Zero) return Zero;
  return signedAs(a, b, a & infinite ? PlusInfinity : Zero | Positive | PlusInfinity);
}

/// The larger (or smaller) of two; a NaN operand loses, or may be what is chosen.
Classes extreme(Classes a, Classes b, bool largest, bool ignoresNaN) {
  if ((a | b) & NaN) return ignoresNaN && (a & NaN) == 0 ? a : ignoresNaN ? b : a | b;
  return largest ? std::max(a, b) : std::min(a, b);
}

Classes exponential(Classes a) {
  switch (a) {
  case MinusInfinity: return Zero;
  case Negative: return Zero | Positive;
  case Zero: return Positive;
  case Positive: return Positive | PlusInfinity;
  default: return a;
  }
}

Classes logarithm(Classes a) {
  if (a == Zero) return MinusInfinity;
  if (a == Positive) return Finite;
  return a == PlusInfinity ? PlusInfinity : NaN;
}

Classes squareRoot(Classes a) { return isBelow(a) ? NaN : a; }

Classes hyperbolicTangent(Classes a) {
  if (a & infinite) return a == PlusInfinity ? Positive : Negative;
  return a & (Negative | Positive) ? a | Zero : a;
}

/// Does every finite value of type `from` keep its class in type `to`?
bool holdsAllOf(Type to, Type from) {
  return to == from || from == Type::Float16 || (from == Type::BFloat16 && to != Type::Float16) || to == Type::Float64;
}

/// A conversion that may round to zero or to infinity.
Classes narrowed(Classes a) {
  if (a == Negative) return Negative | Zero | MinusInfinity;
  return a == Positive ? Positive | Zero | PlusInfinity : a;
}

Classes ofNumber(double value) {
  if (std::isnan(value)) return NaN;
  if (std::isinf(value)) return value < 0 ? MinusInfinity : PlusInfinity;
  return value < 0 ? Negative : value > 0 ? Positive : Zero;
}

} // namespace

Classes classesOf(const Expr &e, const std::function<std::optional<Classes>(const Expr &)> &known) {
  if (const auto told = known(e)) return *told;
  if (e.op() == Op::Integer) return ofNumber(static_cast<double>(e->integer));
  if (e.op() == Op::Real) return ofNumber(e->real);
  if (!isFloating(e.type())) return Finite;
  const auto arg = [&](std::size_t i) { return classesOf(e.arg(i), known); };
  switch (e.op()) {
  case Op::Neg: return negated(arg(0));
  case Op::Add: return eachPair(arg(0), arg(1), sum);
  case Op::Sub: return eachPair(arg(0), negated(arg(1)), sum);
  case Op::Mul:
    if (equal(e.arg(0), e.arg(1))) return each(arg(0), [](Classes a) { return product(a, a); });
    return eachPair(arg(0), arg(1), product);
  case Op::Div: return eachPair(arg(0), arg(1), quotient);
  case Op::Min:
  case Op::Max:
  case Op::FMin:
  case Op::FMax: {
    const bool largest = e.op() == Op::Max || e.op() == Op::FMax, ignores = e.op() == Op::FMin || e.op() == Op::FMax;
    return eachPair(arg(0), arg(1), [&](Classes a, Classes b) { return extreme(a, b, largest, ignores); });
  }
  case Op::Exp:
  case Op::Exp2: return each(arg(0), exponential);
  case Op::Log:
  case Op::Log2: return each(arg(0), logarithm);
  case Op::Sqrt: return each(arg(0), squareRoot);
  case Op::Tanh: return each(arg(0), hyperbolicTangent);
  case Op::Abs: return each(arg(0), [](Classes a) { return isBelow(a) ? negated(a) : a; });
  case Op::Select: return arg(1) | arg(2);
  case Op::Cast:
    if (!isFloating(e.arg(0).type()) || holdsAllOf(e.type(), e.arg(0).type())) return arg(0);
    return each(arg(0), narrowed);
  default: return Any;
  }
}

Classes sumOf(Classes a, Classes b) { return eachPair(a, b, sum); }

} // namespace polymend
