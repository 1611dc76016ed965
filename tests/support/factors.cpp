// Values below their conversions.
#include "polymend/factors.h"

#include <gtest/gtest.h>

using namespace polymend;

namespace {

TEST(Factors, UnconvertedIsBelowEveryConversionOfAFloatingNumber) {
  const Expr x = Expr::symbol("x", Type::Float64);
  const Expr rounded = Expr::cast(Type::BFloat16, Expr::cast(Type::Float32, x));
  EXPECT_TRUE(equal(unconverted(Expr::cast(Type::Float32, rounded)), x));
  EXPECT_TRUE(equal(unconverted(x), x));
}

TEST(Factors, UnconvertedKeepsTheConversionOfAnInteger) {
  const Expr count = Expr::cast(Type::Float32, Expr::symbol("n", Type::Int64));
  EXPECT_TRUE(equal(unconverted(Expr::cast(Type::Float64, count)), count));
}

TEST(Factors, UnconvertedStopsAtArithmetic) {
  const Expr x = Expr::symbol("x", Type::Float32), sum = Expr::cast(Type::Float32, x) + x;
  EXPECT_TRUE(equal(unconverted(sum), sum));
}

TEST(Factors, NarrowIsNotFoundBelowARounding) {
  const Expr x = Expr::symbol("x", Type::BFloat16);
  EXPECT_TRUE(equal(narrowOf(Expr::cast(Type::Float32, x)), x));
  EXPECT_FALSE(narrowOf(Expr::symbol("y", Type::Float32)));
  const Expr other = Expr::cast(Type::Float16, x);
  EXPECT_TRUE(equal(narrowOf(Expr::cast(Type::Float32, other)), other));
}

} // namespace
