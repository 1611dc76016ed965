// Multivariate division with remainder by the leading term, in graded order: unique for one divisor, and exact whenever
// the divisor is a factor. A product of two variables, and every operation beyond +, - and *, stays one variable.
#include "polymend/polynomial.h"

#include <algorithm>
#include <numeric>

namespace polymend {

namespace {

void accumulate(Polynomial &p, const Monomial &monomial, std::int64_t value) {
  const auto at = p.try_emplace(monomial, 0).first;
  at->second += value;
  if (at->second == 0) p.erase(at);
}

std::optional<Monomial> divideMonomial(const Monomial &a, const Monomial &b) {
  if (!std::includes(a.begin(), a.end(), b.begin(), b.end())) return std::nullopt;
  Monomial rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

std::int64_t divideInteger(std::int64_t a, std::int64_t b, bool floors) {
  const std::int64_t quotient = a / b;
  return floors && a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

void add(Linear &sum, const Linear &other, std::int64_t factor) {
  for (const auto &[key, coefficient] : other.terms) {
    Polynomial &mine = sum.terms[key];
    mine = plus(mine, coefficient, factor);
    if (mine.empty()) sum.terms.erase(key);
  }
  sum.meaning.insert(other.meaning.begin(), other.meaning.end());
}

bool isConstant(const Linear &sum) {
  return std::all_of(sum.terms.begin(), sum.terms.end(), [](const auto &term) { return term.first.empty(); });
}

Linear single(const Expr &e) {
  const std::string key = show(e);
  return {{{key, constantPolynomial(1)}}, {{key, e}}};
}

Linear product(const Expr &e, const Linear &a, const Linear &b) {
  if (!isConstant(a) && !isConstant(b)) return single(e);
  const Linear &scale = isConstant(a) ? a : b, &scaled = isConstant(a) ? b : a;
  Linear result;
  result.meaning = a.meaning;
  result.meaning.insert(b.meaning.begin(), b.meaning.end());
  const auto factor = scale.terms.find("");
  if (factor == scale.terms.end()) return result;
  for (const auto &[key, coefficient] : scaled.terms) result.terms[key] = times(coefficient, factor->second);
  return result;
}

Expr productOf(const Monomial &monomial, std::int64_t value, const Expr &variable, const Linear &sum) {
  Expr result = variable;
  for (auto name = monomial.rbegin(); name != monomial.rend(); ++name) {
    const Expr &factor = sum.meaning.at(*name);
    result = result ? factor * result : factor;
  }
  if (!result) return Expr::integer(value);
  return value == 1 ? result : Expr::integer(value, result.type()) * result;
}

/// Appends value * monomial * variable to `result`, as a difference where the value is negative.
void append(Expr &result, const Monomial &monomial, std::int64_t value, const Expr &variable, const Linear &sum) {
  if (!result)
    result = value > 0 || (!variable && monomial.empty())
                 ? productOf(monomial, value, variable, sum)
                 : Expr::make(Op::Neg, {productOf(monomial, -value, variable, sum)});
  else if (value < 0)
    result = result - productOf(monomial, -value, variable, sum);
  else
    result = result + productOf(monomial, value, variable, sum);
}

} // namespace

bool Larger::operator()(const Monomial &a, const Monomial &b) const {
  return a.size() != b.size() ? a.size() > b.size() : a < b;
}

Polynomial constantPolynomial(std::int64_t value) {
  return value == 0 ? Polynomial{} : Polynomial{{Monomial{}, value}};
}

Polynomial plus(const Polynomial &a, const Polynomial &b, std::int64_t factor) {
  Polynomial sum = a;
  for (const auto &[monomial, value] : b) accumulate(sum, monomial, factor * value);
  return sum;
}

Polynomial times(const Polynomial &a, const Polynomial &b) {
  Polynomial result;
  for (const auto &[left, x] : a)
    for (const auto &[right, y] : b) {
      Monomial both;
      std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
      accumulate(result, both, x * y);
    }
  return result;
}

Quotient divide(const Polynomial &p, const Polynomial &divisor, bool floors) {
  Quotient result;
  const auto &[leading, value] = *divisor.begin();
  Polynomial rest = p;
  while (!rest.empty()) {
    const auto [monomial, coefficient] = *rest.begin();
    const std::optional<Monomial> ratio = divideMonomial(monomial, leading);
    const std::int64_t quotient = ratio ? divideInteger(coefficient, value, floors) : 0;
    if (quotient != 0) {
      const Polynomial step{{*ratio, quotient}};
      result.quotient = plus(result.quotient, step);
      rest = plus(rest, times(step, divisor), -1);
    }
    const auto left = rest.find(monomial);
    if (left == rest.end()) continue;
    accumulate(result.remainder, monomial, left->second);
    rest.erase(left);
  }
  return result;
}

std::optional<Polynomial> divideExactly(const Polynomial &p, const Polynomial &divisor) {
  Quotient result = divide(p, divisor, false);
  if (!result.remainder.empty()) return std::nullopt;
  return std::move(result.quotient);
}

std::int64_t content(const Polynomial &p) {
  if (p.empty()) return 1;
  std::int64_t common = 0;
  for (const auto &[monomial, value] : p) common = std::gcd(common, value);
  return p.begin()->second < 0 ? -common : common;
}

Linear linear(const Expr &e, const std::function<bool(const std::string &)> &isParameter) {
  const auto part = [&](std::size_t i) { return linear(e.arg(i), isParameter); };
  switch (e.op()) {
  case Op::Integer: return e->integer == 0 ? Linear{} : Linear{{{"", constantPolynomial(e->integer)}}, {}};
  case Op::Symbol:
    if (isParameter(e->name)) return {{{"", Polynomial{{Monomial{e->name}, 1}}}}, {{e->name, e}}};
    return single(e);
  case Op::Cast:
    if (!isInteger(e.type()) || isFloating(e.arg(0).type())) return single(e);
    return part(0);
  case Op::Neg: {
    Linear result;
    add(result, part(0), -1);
    return result;
  }
  case Op::Add:
  case Op::Sub: {
    Linear result = part(0);
    add(result, part(1), e.op() == Op::Add ? 1 : -1);
    return result;
  }
  case Op::Mul: return product(e, part(0), part(1));
  default: return single(e);
  }
}

Expr expression(const Linear &sum) {
  Expr result;
  const auto take = [&](bool positive) {
    for (const auto &[key, coefficient] : sum.terms)
      for (const auto &[monomial, value] : coefficient)
        if (!key.empty() && (value > 0) == positive) append(result, monomial, value, sum.meaning.at(key), sum);
    for (const auto &[key, coefficient] : sum.terms)
      for (const auto &[monomial, value] : coefficient)
        if (key.empty() && (value > 0) == positive) append(result, monomial, value, Expr(), sum);
  };
  take(true);
  take(false);
  return result ? result : Expr::integer(0);
}

} // namespace polymend
