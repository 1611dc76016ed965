// Sets of possible signs and exact rational numbers: the arithmetic under everything in this room.
// A set of signs is a subset of {-, 0, +}; each operation returns every sign that some choice of operands can have.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

namespace polymend::algebra {

using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;
using SignSet = unsigned;

inline constexpr SignSet Negative = 1, Zero = 2, Positive = 4;
inline constexpr SignSet NonPositive = Negative | Zero, NonNegative = Zero | Positive, NonZero = Negative | Positive;
inline constexpr SignSet AnySign = 7;

/// { sign(x y) : x in a, y in b }.
SignSet productSigns(SignSet a, SignSet b);
/// { sign(x + y) : x in a, y in b }.
SignSet sumSigns(SignSet a, SignSet b);
/// { sign(max(x, y)) } or { sign(min(x, y)) }.
SignSet extremeSigns(SignSet a, SignSet b, bool largest);
/// { sign(x^p) : x in a, x^p defined }.
SignSet powerSigns(SignSet a, const Rational &p);
/// The signs of one number.
SignSet signsOf(const Rational &q);

/// Is q an integer?
bool integral(const Rational &q);
/// Is q an even integer?
bool even(const Rational &q);
/// The largest integer not above q.
Integer floorOf(const Rational &q);
/// q^n for an integer n; q is nonzero when n < 0.
Rational powerOf(const Rational &q, const Integer &n);

} // namespace polymend::algebra
