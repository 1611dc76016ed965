// polynomial: integer polynomials over the size parameters, and sums of variables with such coefficients. They are the
// language in which linear subscripts are split into dimensions.
#pragma once

#include "polymend/expr.h"

#include <map>
#include <optional>

namespace polymend {

/// A product of parameters, sorted by name; empty: 1.
using Monomial = std::vector<std::string>;

/// More factors come first, then the names decide.
struct Larger {
  bool operator()(const Monomial &a, const Monomial &b) const;
};

/// Monomials with non-zero coefficients, the leading one first. Empty: 0.
using Polynomial = std::map<Monomial, std::int64_t, Larger>;

Polynomial constantPolynomial(std::int64_t value);
Polynomial plus(const Polynomial &a, const Polynomial &b, std::int64_t factor = 1);
Polynomial times(const Polynomial &a, const Polynomial &b);

struct Quotient {
  Polynomial quotient, remainder;
};

/// p = quotient * divisor + remainder, from the leading terms down. Integer coefficients divide towards -infinity when
/// `floors`, else towards zero.
Quotient divide(const Polynomial &p, const Polynomial &divisor, bool floors);
/// p / divisor when nothing remains.
std::optional<Polynomial> divideExactly(const Polynomial &p, const Polynomial &divisor);
/// The greatest common divisor of the coefficients, signed like the leading one; 1 for zero.
std::int64_t content(const Polynomial &p);

/// Sum of coefficient * variable. A variable is a loop variable or a subexpression that is no polynomial; its key is
/// its text, "" stands for 1. `meaning` gives the expression behind each variable and each parameter.
struct Linear {
  std::map<std::string, Polynomial> terms;
  std::map<std::string, Expr> meaning;
};

/// Writes `e` as a sum over variables; `isParameter` tells sizes from the rest.
Linear linear(const Expr &e, const std::function<bool(const std::string &)> &isParameter);
/// Back to an expression.
Expr expression(const Linear &sum);

} // namespace polymend
