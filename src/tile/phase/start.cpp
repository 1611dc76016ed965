// The source's own start, or that of nothing where the start counts once at the end.
#include "start.h"

#include "regions.h"
#include "values.h"

#include <cmath>

namespace polymend {

Expr beginning(const PhaseContext &context, const Seated &seated) {
  const Equation &e = seated.equation;
  const Expr value = realize(context, e.initial, seated);
  bool loads = false;
  visit(e.initial, [&](const Expr &node) { loads = loads || node.op() == Op::Read; });
  const Expr own = loads ? stored(context, seated) : Expr();
  return own ? Expr::make(Op::Select, value.type(), {own, value, neutral(*e.monoid, value.type())}) : value;
}

Expr nothingOf(const Seated &seated, Monoid monoid, Type type) {
  const Expr &initial = seated.equation.initial;
  const bool negative = initial && initial.op() == Op::Real && initial->real == 0 && std::signbit(initial->real);
  return negative && monoid == Monoid::Sum && isFloating(type) ? Expr::real(-0.0, type) : neutral(monoid, type);
}

} // namespace polymend
