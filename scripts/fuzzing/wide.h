// A number of the wide evaluation: its value, and how far roundings move it, in units of one rounding (to first order:
// of a sum the terms' sizes, as in U = 2^-p * sum |terms|; of a product each factor's times the other). Where the sizes
// add up to more than the type of the program holds, the order of a sum decides whether it overflows, and nothing is
// known of what is made of it. Where roundings alone decide that what is divided by, or what a logarithm is taken of,
// is not zero, or that a root or power is taken of no negative number, nothing is known either; nor of a
// product of which some factors together overflow. Comparisons see the value.
#pragma once

#include <cmath>

struct W {
  long double v = 0, e = 0;
  long double most = 1, least = 1; // of what is multiplied up: the products of its factors above one, and below
  W() = default;
  template <class T> W(T x) : v(static_cast<long double>(x)), e(std::fabs(v)) {}
  W(long double value, long double error) : v(value), e(error == error ? error : HUGE_VALL) {} // zero times the unknown
};

/// The largest number of the type in which the program that runs computes.
inline long double largestHeld = 0;
/// One rounding of that type, relative to a number.
inline long double roundingHeld = 0;
/// The least number of that type that has all its digits: a product, quotient or exponential below it is rounded as
/// that is, and may become zero.
inline long double smallestHeld = 0;
inline long double underflow(long double value, long double smallest = smallestHeld) {
  return value != 0 && std::fabs(value) < smallest ? smallest : 0;
}
inline W sum(long double value, long double sizes) { return {value, sizes > largestHeld ? HUGE_VALL : sizes}; }

/// May roundings have made a zero of it, or it of a zero? What is zero here, too, has no quotient to be compared.
inline bool mayBeZero(W a) { return a.v != 0 && std::fabs(a.v) <= 2 * roundingHeld * a.e; }
inline long double known(W divisor, long double error) { return mayBeZero(divisor) ? HUGE_VALL : error; }

/// May roundings have made it what it is instead of a negative number, or the other way round?
inline bool mayBeNegative(W a) { return a.e > 0 && std::fabs(a.v) < 2 * roundingHeld * a.e; }

inline W operator-(W a) { return {-a.v, a.e}; }
inline W operator+(W a, W b) { return sum(a.v + b.v, a.e + b.e); }
inline W operator-(W a, W b) { return sum(a.v - b.v, a.e + b.e); }
inline W operator*(W a, W b) { return {a.v * b.v, std::fabs(a.v) * b.e + std::fabs(b.v) * a.e + underflow(a.v * b.v)}; }
inline W operator/(W a, W b) {
  return {a.v / b.v, known(b, (a.e + std::fabs(a.v / b.v) * b.e) / std::fabs(b.v) + underflow(a.v / b.v))};
}
inline W &operator+=(W &a, W b) { return a = a + b; }
inline W &operator-=(W &a, W b) { return a = a - b; }
/// What is multiplied up may have its factors in another order, in which a part of them overflows or underflows.
inline W &operator*=(W &a, W b) {
  const long double size = std::fabs(b.v);
  W result = a * b;
  result.most = a.most * std::fmax(1.0L, size);
  result.least = a.least * (size > 0 ? std::fmin(1.0L, size) : 1);
  if (result.least < smallestHeld) result.e += smallestHeld * result.most;
  if (result.most > largestHeld) result.e = HUGE_VALL;
  return a = result;
}
inline bool operator<(W a, W b) { return a.v < b.v; }
inline bool operator>(W a, W b) { return a.v > b.v; }
inline bool operator<=(W a, W b) { return a.v <= b.v; }
inline bool operator>=(W a, W b) { return a.v >= b.v; }
inline bool operator!=(W a, W b) { return a.v != b.v; }

namespace wide {
inline W least(W a, long double v) { return {v, a.e + std::fabs(v)}; }
inline W exp(W a) { return {std::exp(a.v), std::exp(a.v) * (a.e + 1) + underflow(std::exp(a.v))}; }
inline W log(W a) { return least({0, known(a, a.e / std::fabs(a.v))}, std::log(a.v)); }
inline W sqrt(W a) {
  if (mayBeNegative(a)) return {std::sqrt(a.v), HUGE_VALL};
  return least({0, a.v == 0 ? 0 : a.e / (2 * std::sqrt(std::fabs(a.v)))}, std::sqrt(a.v));
}
inline W abs(W a) { return {std::fabs(a.v), a.e}; }
inline W sin(W a) { return least(a, std::sin(a.v)); }
inline W cos(W a) { return least(a, std::cos(a.v)); }
inline W tanh(W a) { return least(a, std::tanh(a.v)); }
/// One of two; where nothing is known of either, it might be the other.
inline W chosen(W one, W other) { return {one.v, std::isinf(other.e) ? HUGE_VALL : one.e}; }
inline W fmax(W a, W b) { return a.v >= b.v || b.v != b.v ? chosen(a, b) : chosen(b, a); }
inline W fmin(W a, W b) { return a.v <= b.v || b.v != b.v ? chosen(a, b) : chosen(b, a); }
inline W pow(W a, W b) {
  if (mayBeNegative(a)) return {std::pow(a.v, b.v), HUGE_VALL};
  return least({0, std::fabs(b.v * std::pow(a.v, b.v) / a.v) * a.e}, std::pow(a.v, b.v));
}
inline W max(W a, W b) { return a.v < b.v ? chosen(b, a) : chosen(a, b); }
inline W min(W a, W b) { return b.v < a.v ? chosen(b, a) : chosen(a, b); }
} // namespace wide

/// x as it is stored in a narrower type of D digits by computations of P bits; where roundings before it may turn this
/// one, its step is in doubt. Where a correction rounds another part to that type, errors are counted in its roundings:
/// those below its least number with all digits, `smallest`, are as large as there, and no two are one.
template <int P, int D, class F> W kept(W x, long double smallest, F narrow) {
  const long double unit = std::ldexp(1.0L, -P), doubt = 16 * unit * x.e, stored = narrow(x.v);
  const long double step = std::fabs(narrow(x.v + doubt) - narrow(x.v - doubt));
  const long double lost = std::ldexp(underflow(x.v, smallest), P - D);
  return {stored, x.e + (step > 2.5L * doubt ? step / unit : 0) + lost};
}

template <int P> W keep_f(W x) {
  return kept<P, 24>(x, 0x1p-126L, [](long double v) { return static_cast<long double>(static_cast<float>(v)); });
}
template <int P> W keep_h(W x) {
  return kept<P, 11>(x, 0x1p-14L, [](long double v) {
    return static_cast<long double>(static_cast<float>(static_cast<_Float16>(static_cast<float>(v))));
  });
}
template <int P> W keep_b(W x) {
  return kept<P, 8>(x, 0x1p-126L, [](long double v) {
    return static_cast<long double>(static_cast<float>(static_cast<__bf16>(static_cast<float>(v))));
  });
}

/// A sum of numbers of a type of D digits that is kept in it: each step is rounded there, in another order otherwise.
template <int P, int D> W summed(W x) { return {x.v, x.e + std::ldexp(std::fabs(x.v), P - D)}; }

inline void store(double *to, W x) {
  to[0] = static_cast<double>(x.v);
  to[1] = static_cast<double>(x.e);
}
