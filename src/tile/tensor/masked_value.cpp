#include "masked_value.h"

namespace polymend {
namespace {

bool isPositive(const Expr &e) { return e.op() == Op::Real && e->real > 0; }

} // namespace

MaskedValue maskedValue(const Expr &e, MaskedFacts &facts) {
  using Known = MaskedValue;
  const auto of = [&](std::size_t k) { return maskedValue(e.arg(k), facts); };
  switch (e.op()) {
  case Op::Integer:
  case Op::Symbol: return Known::Finite;
  case Op::Real: return e->real == 0 ? Known::Zero : Known::Finite;
  case Op::Read: {
    const auto found = facts.matrices.find(e->name);
    if (found != facts.matrices.end()) return found->second;
    if (e->args.size() < 2) return Known::Finite;
    if (!facts.takesFinite || !isFloating(e.type())) return Known::Unknown;
    facts.finite.insert(e->name);
    return Known::Finite;
  }
  case Op::Cast: return isFloating(e.type()) ? of(0) : Known::Unknown;
  case Op::Add: {
    const Known a = of(0), b = of(1);
    if (a == Known::Zero) return b;
    if (b == Known::Zero) return a;
    const bool minus = a == Known::NegativeInfinity || b == Known::NegativeInfinity;
    if (a == Known::Unknown || b == Known::Unknown) return Known::Unknown;
    return minus ? Known::NegativeInfinity : Known::Finite;
  }
  case Op::Sub: {
    const Known a = of(0), b = of(1);
    if (a == Known::NegativeInfinity && (b == Known::Finite || b == Known::Zero)) return a;
    const bool finite = (a == Known::Finite || a == Known::Zero) && (b == Known::Finite || b == Known::Zero);
    return finite ? Known::Finite : Known::Unknown;
  }
  case Op::Mul: {
    const Known a = of(0), b = of(1);
    if (a == Known::NegativeInfinity) return isPositive(e.arg(1)) ? a : Known::Unknown;
    if (b == Known::NegativeInfinity) return isPositive(e.arg(0)) ? b : Known::Unknown;
    if (a == Known::Unknown || b == Known::Unknown) return Known::Unknown;
    return a == Known::Zero || b == Known::Zero ? Known::Zero : Known::Finite;
  }
  case Op::Div:
    return of(0) == Known::NegativeInfinity && isPositive(e.arg(1)) ? Known::NegativeInfinity : Known::Unknown;
  case Op::Exp:
  case Op::Exp2: return of(0) == Known::NegativeInfinity ? Known::Zero : Known::Unknown;
  default: return Known::Unknown;
  }
}

} // namespace polymend
