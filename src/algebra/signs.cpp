// Sign sets and rational helpers; see signs.h. Each table is the pointwise image of the operation on {-, 0, +}.
#include "signs.h"

#include <algorithm>

namespace polymend::algebra {

/// The union of f(x, y) over the single signs x of a and y of b.
template <class F> static SignSet image(SignSet a, SignSet b, F f) {
  SignSet result = 0;
  for (SignSet x : {Negative, Zero, Positive})
    for (SignSet y : {Negative, Zero, Positive})
      if ((a & x) && (b & y)) result |= f(x, y);
  return result;
}

SignSet productSigns(SignSet a, SignSet b) {
  return image(a, b, [](SignSet x, SignSet y) {
    if (x == Zero || y == Zero) return Zero;
    return x == y ? Positive : Negative;
  });
}

SignSet sumSigns(SignSet a, SignSet b) {
  return image(a, b, [](SignSet x, SignSet y) {
    if (x == Zero) return y;
    if (y == Zero) return x;
    return x == y ? x : AnySign;
  });
}

SignSet extremeSigns(SignSet a, SignSet b, bool largest) {
  return image(a, b, [largest](SignSet x, SignSet y) { return largest ? std::max(x, y) : std::min(x, y); });
}

SignSet powerSigns(SignSet a, const Rational &p) {
  if (p == 0) return Positive;
  if (p < 0) a &= NonZero;
  if (!integral(p)) return a & NonNegative;
  if (!even(p)) return a;
  return (a & Zero) | ((a & NonZero) ? Positive : 0U);
}

SignSet signsOf(const Rational &q) { return q > 0 ? Positive : q < 0 ? Negative : Zero; }

bool integral(const Rational &q) { return denominator(q) == 1; }

bool even(const Rational &q) { return integral(q) && numerator(q) % 2 == 0; }

Integer floorOf(const Rational &q) {
  Integer n = numerator(q), d = denominator(q), r = n / d;
  if (n < 0 && r * d != n) --r;
  return r;
}

Rational powerOf(const Rational &q, const Integer &n) {
  Rational result = 1;
  const Integer count = abs(n);
  for (Integer i = 0; i < count; ++i) result *= q;
  return n < 0 ? Rational(1 / result) : result;
}

} // namespace polymend::algebra
