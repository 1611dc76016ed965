// A loop's condition, solved for its variable: c * v + r < 0 gives v < ceil(-r / c) for c > 0 and v > floor(r / -c) for
// c < 0, and of a conjunction the nearest limit. Where c is a number that no loop changes, entries ask that it is one.
#include "ranges.h"
#include "reader.h"

namespace polymend {

namespace {

Expr beyondBy(const Expr &e, std::int64_t constant) { return simplify(e + Expr::integer(constant)); }

Expr withoutVariable(const Expr &e, const std::string &variable) {
  return simplify(substitute(e, [&](const std::string &n) { return n == variable ? Expr::integer(0) : Expr(); }));
}

Expr roundedDown(const Expr &e, std::int64_t divisor) {
  return divisor == 1 ? e : Expr::make(Op::FloorDiv, Type::Int64, {e, Expr::integer(divisor)});
}

} // namespace

/// The limit by f * v + r < 0, where f is a number >= 1 that no loop changes, else the source's own text runs: v is at
/// most floor((-1 - r) / f). Absent: it is of another kind.
Expr Reader::limitByFactor(const Expr &condition, const Expr &difference, const Expr &variable, std::int64_t step) {
  const auto at = [&](std::int64_t number) {
    return simplify(substitute(
        difference, [&](const std::string &name) { return name == variable->name ? Expr::integer(number) : Expr(); }));
  };
  const Expr rest = at(0), factor = simplify(at(1) - rest);
  const auto is = [&](const Expr &product) {
    const Expr other = simplify(difference - rest - product);
    return other.op() == Op::Integer && other->integer == 0;
  };
  const bool isLess = condition.op() == Op::Lt || condition.op() == Op::Le;
  if (!isLess || step < 1 || !isOverParameters(factor) || !isOverParameters(rest) ||
      !(is(factor * variable) || is(variable * factor)))
    return {};
  assume(Expr::make(Op::Le, {Expr::integer(1), factor}));
  const Expr most = simplify(Expr::integer(condition.op() == Op::Lt ? -1 : 0) - rest);
  return beyondBy(Expr::make(Op::FloorDiv, Type::Int64, {most, factor}), 1);
}

Expr Reader::limitOf(const Expr &condition, const Expr &variable, std::int64_t step, const SourceRange &where) {
  const std::string &name = variable->name;
  if (condition.op() == Op::And)
    return simplify(Expr::make(step > 0 ? Op::Min : Op::Max, {limitOf(condition.arg(0), variable, step, where),
                                                              limitOf(condition.arg(1), variable, step, where)}));
  const bool comparison = condition.op() == Op::Lt || condition.op() == Op::Le || condition.op() == Op::Ne;
  if (!comparison) refuse("the loop's condition does not compare its variable with a bound", where);
  const Expr difference = simplify(condition.arg(0) - condition.arg(1));
  const auto factor = coefficient(difference, name);
  if (const Expr limit = factor ? Expr() : limitByFactor(condition, difference, variable, step)) return limit;
  if (!factor || *factor == 0 || *factor == INT64_MIN)
    refuse("the loop's condition is not linear in its variable", where);
  const Op tight = step > 0 ? Op::Min : Op::Max;
  Expr rest = withoutVariable(difference, name), negated;
  if (*factor > 0)
    negated = unchosen(simplify(Expr::make(Op::Neg, {rest})), tight);
  else
    rest = unchosen(rest, tight);
  checkBound(*factor > 0 ? negated : rest, where);
  if (condition.op() == Op::Ne) {
    if (std::abs(step) != 1 || std::abs(*factor) != 1) refuse("'!=' with this step may miss the bound", where);
    return *factor == 1 ? negated : rest;
  }
  if ((*factor > 0) != (step > 0)) refuse("the loop steps away from its bound", where);
  const std::int64_t slack = condition.op() == Op::Le ? 1 : 0;
  if (*factor > 0) return simplify(roundedDown(beyondBy(negated, slack + *factor - 1), *factor));
  return simplify(roundedDown(beyondBy(rest, -slack), -*factor));
}

} // namespace polymend
