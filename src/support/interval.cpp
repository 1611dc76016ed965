// Each operation is monotone in each operand between the ends of the other, so that its extreme values stand at
// corners.
#include "polymend/element_types.h"

#include <algorithm>
#include <array>

namespace polymend {

namespace {

Wide near(Wide value) { return std::clamp(value, -Interval::Open, Interval::Open); }

bool isOpen(Wide end) { return end <= -Interval::Open || end >= Interval::Open; }

std::optional<std::int64_t> known(Wide end) {
  return end < INT64_MIN || end > INT64_MAX ? std::nullopt : std::optional(static_cast<std::int64_t>(end));
}

/// The sum of two ends of one side; `open` is that side's.
Wide sum(Wide a, Wide b, Wide open) {
  if (isOpen(a) && isOpen(b)) return a == b ? a : open;
  return isOpen(a) ? a : isOpen(b) ? b : near(a + b);
}

/// The product, open where it may not fit.
Wide product(Wide a, Wide b) {
  const bool small = std::max({a, -a, b, -b}) < (Wide{1} << 63);
  if (small || a == 0 || b == 0) return near(a * b);
  return (a < 0) == (b < 0) ? Interval::Open : -Interval::Open;
}

Wide quotient(Wide a, Wide b, bool floors) {
  if (isOpen(a) && !isOpen(b)) return (a < 0) == (b < 0) ? Interval::Open : -Interval::Open;
  const bool below = floors && a % b != 0 && (a < 0) != (b < 0);
  return a / b - (below ? 1 : 0);
}

template <class F> Interval corners(const Interval &a, const Interval &b, F f) {
  const std::array all{f(a.least, b.least), f(a.least, b.most), f(a.most, b.least), f(a.most, b.most)};
  return {*std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end())};
}

Wide magnitude(const Interval &a) { return std::max({a.least, -a.least, a.most, -a.most}); }

/// No quotient is further from 0 than what is divided; it has its sign where no divisor is negative.
Interval divided(const Interval &a, const Interval &b, bool floors) {
  if (b.least > 0 || b.most < 0)
    return corners(a, b, [&](Wide left, Wide right) { return quotient(left, right, floors); });
  const Wide most = magnitude(a);
  return {a.least >= 0 && b.least >= 0 ? Wide{0} : -most, a.most <= 0 && b.least >= 0 ? Wide{0} : most};
}

/// A remainder is nearer to 0 than the divisor; it has the divisor's sign where the quotient is rounded down, else that
/// of what is divided.
Interval remainder(const Interval &a, const Interval &b, bool floors) {
  const Wide most = isOpen(magnitude(b)) ? Interval::Open : std::max(magnitude(b) - 1, Wide{0});
  const bool negative = floors ? b.least < 0 : a.least < 0, positive = floors ? b.most > 0 : a.most > 0;
  return {negative ? -most : Wide{0}, positive ? most : Wide{0}};
}

/// The least power of two that is at least value.
Wide powerFrom(Wide value) {
  Wide power = 1;
  while (power < value) power *= 2;
  return power;
}

/// Of a number and what has the bits that it lacks.
Interval complement(const Interval &a) { return {-1 - a.most, -1 - a.least}; }

/// No number that has bits of both is above a positive one of them; of negative ones it has the leading bits.
Interval bitsOfBoth(const Interval &a, const Interval &b) {
  if (a.least >= 0 && b.least >= 0) return {0, std::min(a.most, b.most)};
  if (a.least >= 0 || b.least >= 0) return {0, a.least >= 0 ? a.most : b.most};
  if (isOpen(a.least) || isOpen(b.least)) return {-Interval::Open, std::max(a.most, b.most)};
  return {-powerFrom(std::max(-a.least, -b.least)), std::max(a.most, b.most)};
}

Interval bitsOfOne(const Interval &a, const Interval &b) {
  const Wide most = std::max({a.most, -1 - a.least, b.most, -1 - b.least});
  if (isOpen(magnitude(a)) || isOpen(magnitude(b)))
    return {a.least >= 0 && b.least >= 0 ? Wide{0} : -Interval::Open, Interval::Open};
  const Wide power = powerFrom(most + 1);
  return {a.least >= 0 && b.least >= 0 ? Wide{0} : -power, power - 1};
}

/// The powers of two that a shift multiplies or divides by.
Interval powersOf(const Interval &shift) {
  const auto power = [](Wide by) { return Wide{1} << static_cast<unsigned>(std::clamp(by, Wide{0}, Wide{63})); };
  return {power(shift.least), power(shift.most)};
}

} // namespace

std::optional<std::int64_t> Interval::low() const { return known(least); }

std::optional<std::int64_t> Interval::high() const { return known(most); }

Interval hull(const Interval &a, const Interval &b) { return {std::min(a.least, b.least), std::max(a.most, b.most)}; }

Interval intervalOf(Op op, const Interval &a, const Interval &b) {
  switch (op) {
  case Op::Neg: return {-a.most, -a.least};
  case Op::Add: return {sum(a.least, b.least, -Interval::Open), sum(a.most, b.most, Interval::Open)};
  case Op::Sub: return {sum(a.least, -b.most, -Interval::Open), sum(a.most, -b.least, Interval::Open)};
  case Op::Mul: return corners(a, b, product);
  case Op::Min: return {std::min(a.least, b.least), std::min(a.most, b.most)};
  case Op::Max: return {std::max(a.least, b.least), std::max(a.most, b.most)};
  case Op::Div:
  case Op::FloorDiv: return divided(a, b, op == Op::FloorDiv);
  case Op::Mod:
  case Op::FloorMod: return remainder(a, b, op == Op::FloorMod);
  case Op::BitAnd: return bitsOfBoth(a, b);
  case Op::BitOr: return complement(bitsOfBoth(complement(a), complement(b)));
  case Op::BitXor: return bitsOfOne(a, b);
  case Op::ShiftLeft: return corners(a, powersOf(b), product);
  case Op::ShiftRight: return divided(a, powersOf(b), true);
  default: return {};
  }
}

Interval intervalOf(const Expr &e, const std::function<Interval(const Expr &)> &leaf) {
  const auto of = [&](std::size_t k) { return intervalOf(e.arg(k), leaf); };
  switch (e.op()) {
  case Op::Integer: return {e->integer, e->integer};
  case Op::Cast: {
    if (!isInteger(e.type()) || !isInteger(e.arg(0).type())) return leaf(e);
    const Interval value = of(0);
    return e.type() == Type::Int32 && !holds(limitsOf(e.type()), value) ? limitsOf(e.type()) : value;
  }
  case Op::ShiftLeft: { // what does not fit is cut off
    if (!isInteger(e.type())) return leaf(e);
    const Interval value = intervalOf(e.op(), of(0), of(1));
    return holds(limitsOf(e.type()), value) ? value : limitsOf(e.type());
  }
  case Op::Select: return isInteger(e.type()) ? hull(of(1), of(2)) : leaf(e);
  case Op::Neg: return isInteger(e.type()) ? intervalOf(e.op(), of(0), {}) : leaf(e);
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Min:
  case Op::Max:
  case Op::Div:
  case Op::FloorDiv:
  case Op::Mod:
  case Op::FloorMod:
  case Op::BitAnd:
  case Op::BitOr:
  case Op::BitXor:
  case Op::ShiftRight: return isInteger(e.type()) ? intervalOf(e.op(), of(0), of(1)) : leaf(e);
  default: return leaf(e);
  }
}

} // namespace polymend
