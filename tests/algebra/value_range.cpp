// Bounds of expressions: what must be found, what must not be claimed, and what NaN does.
#include "notation.h"

#include "polymend/value_range.h"

#include <gtest/gtest.h>

using namespace notation;
using polymend::rangeOf;
using polymend::ValueRange;

namespace {

const Expr x = sym("x"), y = sym("y");

Expr tanh(const Expr &a) { return of(Op::Tanh, a); }

void expectRange(const Expr &e, double low, double high) {
  const ValueRange range = rangeOf(e);
  EXPECT_LE(range.low, low) << show(e);
  EXPECT_GE(range.high, high) << show(e);
  const double slack = 1e-4 * (1 + std::abs(low) + std::abs(high));
  EXPECT_NEAR(range.low, low, slack) << show(e);
  EXPECT_NEAR(range.high, high, slack) << show(e);
}

TEST(Range, ComesFromFunctionsThatAreBounded) {
  expectRange(num(50) * tanh(x / num(50)), -50, 50);
  expectRange(num(3) * of(Op::Sin, x) - num(2) * of(Op::Cos, y), -5, 5);
  expectRange(sigmoid(x), 0, 1);
  expectRange(num(4) * sigmoid(x) + num(1), 1, 5);
  expectRange(Expr::call("std::erf", {x}, Type::Float32), -1, 1);
  expectRange(exp(-abs(x)), 0, 1);
}

TEST(Range, ComesFromClampsWhateverIsClamped) {
  expectRange(of(Op::FMin, of(Op::FMax, x, num(-8)), num(9)), -8, 9);
  expectRange(of(Op::FMin, num(9), of(Op::FMax, num(-8), x)), -8, 9);
  expectRange(of(Op::Min, of(Op::Max, x, num(-8)), num(9)), -8, 9);
}

TEST(Range, IsCarriedThroughArithmetic) {
  const Expr t = tanh(x), u = tanh(y);
  expectRange(t * u + t - u, -3, 3);
  expectRange(t * t, 0, 1);
  expectRange(num(1) / (num(3) + t), 0.25, 0.5);
  expectRange(of(Op::Floor, num(2.5) * t), -3, 2);
  expectRange(select(less(x, y), t, num(7)), -1, 7);
  expectRange(sqrt(num(2) + num(2) * t), 0, 2);
  expectRange(sqrt(num(0.125) + num(0.125) * t), 0, 0.5);
  expectRange(of(Op::Log2, num(5) + num(3) * t), 1, 3);
  expectRange(log(num(2) + t), 0, std::log(3.0));
  EXPECT_FALSE(rangeOf(sqrt(t - num(2))).isBounded());
}

TEST(Range, IsNotClaimedWhereNothingBounds) {
  for (const Expr &e : {x, num(2) * x, x * tanh(y), tanh(x) / tanh(y), exp(x), log(tanh(x)), of(Op::FMax, x, num(0)),
                        of(Op::Floor, x), x - x, select(less(x, y), tanh(x), -infinity())})
    EXPECT_FALSE(rangeOf(e).isBounded()) << show(e);
}

/// inf - inf is a NaN, of which the larger operand of fmax remains.
TEST(Range, KnowsThatOpposedInfinitiesAreNoNumber) {
  const Expr up = of(Op::FMax, x, num(0)), down = of(Op::FMin, y, num(0));
  EXPECT_TRUE(rangeOf(up + down).nan);
  EXPECT_TRUE(rangeOf(down + up).nan);
  EXPECT_FALSE(rangeOf(up + of(Op::FMax, y, num(0))).nan);
}

/// fmax(NaN, 2) is 2 though the other operand is never below 5; a comparison keeps the first operand.
TEST(Range, KnowsThatNaNLosesOrIsKept) {
  const Expr five = tanh(x) + num(6), two = tanh(y) * num(0) + num(2);
  EXPECT_TRUE(rangeOf(five).nan);
  EXPECT_LE(rangeOf(of(Op::FMax, five, num(2))).low, 2);
  EXPECT_GE(rangeOf(of(Op::FMin, two, num(5))).high, 5);
  EXPECT_GE(rangeOf(of(Op::Max, five, num(2))).low, 4.9);
  EXPECT_LE(rangeOf(of(Op::Max, num(2), five)).low, 2);
  EXPECT_TRUE(rangeOf(of(Op::Max, five, num(2))).nan);
  EXPECT_FALSE(rangeOf(of(Op::FMax, five, num(2))).nan);
}

TEST(Range, EndsWhereATypeEnds) {
  const ValueRange below = rangeOf(Expr::cast(Type::Float16, num(-1e6)));
  EXPECT_EQ(below.low, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(below.high, -65504);
  const ValueRange above = rangeOf(Expr::cast(Type::Float16, num(1e6)));
  EXPECT_EQ(above.low, 65504);
  EXPECT_EQ(above.high, std::numeric_limits<double>::infinity());
  const Expr wide = num(200) * tanh(x);
  EXPECT_FALSE(rangeOf(exp(wide)).isBounded());
  EXPECT_EQ(rangeOf(exp(wide)).low, 0);
  EXPECT_FALSE(rangeOf(Expr::cast(Type::Float16, num(1e5) * tanh(x))).isBounded());
  EXPECT_LE(rangeOf(Expr::cast(Type::Float16, num(1e-6) * (tanh(x) + num(2)))).low, 0);
  const Expr brain = Expr::cast(Type::BFloat16, tanh(x) + num(2));
  EXPECT_LT(rangeOf(brain).low, 1);
  EXPECT_GT(rangeOf(brain).high, 3);
}

/// exp(c - m) is at most 1 and reaches it where m is the maximum of the same c.
TEST(HoldsItsLargest, NeedsTheMaximumOfWhatIsExponentiated) {
  const Expr c = sym("c"), d = sym("d"), m = sym("m");
  const auto holds = [&](Monoid monoid, const Expr &reduced, const Expr &summed) {
    const Candidate asked = candidate({"", {{"m", monoid, reduced}, {"l", Monoid::Sum, summed}}, 1, true});
    const auto corrections = polymend::derive(asked);
    return corrections.ok() && polymend::holdsItsLargest(asked, corrections->front(), "m");
  };
  EXPECT_TRUE(holds(Monoid::Max, c, exp(c - m)));
  EXPECT_TRUE(holds(Monoid::Max, c, of(Op::Exp2, num(3) * (c - m))));
  EXPECT_TRUE(holds(Monoid::Min, c, exp(m - c)));
  EXPECT_FALSE(holds(Monoid::Min, c, exp(c - m)));
  EXPECT_FALSE(holds(Monoid::Max, c, exp(d - m)));
  EXPECT_FALSE(holds(Monoid::Max, c, exp(c - m) * d));
  EXPECT_FALSE(holds(Monoid::Max, c, exp(c - m + num(1))));
  const Candidate asked = candidate({"", {{"m", Monoid::Max, c}, {"l", Monoid::Sum, exp(c - m)}}, 1, true});
  EXPECT_FALSE(polymend::holdsItsLargest(asked, polymend::derive(asked)->front(), "nobody"));
}

} // namespace
