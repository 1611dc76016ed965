// An update that a condition guards takes in NaN (fmax, fmin) or -0 (a sum) where it does not run: these leave every
// start as it is. A start that is no NaN is left so by an infinity too, and a sum that does not start at -0 never comes
// to it, so that +0 serves. Both say more to whoever cuts masked elements off.
#include "plain_neutrals.h"

#include <cmath>
#include <limits>

namespace polymend {
namespace {

/// The number that a reduction starts from, where it is written down.
std::optional<double> startOf(const Expr &initial) {
  if (!initial) return std::nullopt;
  if (initial.op() == Op::Real) return initial->real;
  if (initial.op() == Op::Integer) return static_cast<double>(initial->integer);
  const bool wraps = initial.op() == Op::Neg || initial.op() == Op::Cast;
  const auto inner = wraps ? startOf(initial.arg(0)) : std::nullopt;
  return inner && initial.op() == Op::Neg && isFloating(initial.type()) ? std::optional(-*inner) : inner;
}

bool isMinusZero(double value) { return value == 0 && std::signbit(value); }

/// The element with `plain` for the number `exact` wherever a choice comes to it.
Expr chosen(const Expr &element, const std::function<bool(double)> &isExact, const Expr &plain) {
  if (element.op() == Op::Real) return isExact(element->real) ? plain : element;
  if (element.op() != Op::Select) return element;
  ExprNode node = *element;
  for (std::size_t k = 1; k < node.args.size(); ++k) node.args[k] = chosen(node.args[k], isExact, plain);
  return Expr{node};
}

} // namespace

System withPlainNeutrals(const System &system) {
  System result = system;
  for (Equation &e : result.equations) {
    const auto start = e.monoid && isFloating(e.type) ? startOf(e.initial) : std::nullopt;
    if (!start || std::isnan(*start) || e.value.op() != Op::Select) continue;
    const Expr plain = neutral(*e.monoid, e.value.type());
    if (*e.monoid == Monoid::Sum && !isMinusZero(*start)) e.value = chosen(e.value, isMinusZero, plain);
    if ((*e.monoid == Monoid::Max || *e.monoid == Monoid::Min) && !e.comparison)
      e.value = chosen(e.value, [](double value) { return std::isnan(value); }, plain);
  }
  return result;
}

} // namespace polymend
