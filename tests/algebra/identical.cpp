// Equality over the reals by normal form: what must be recognised, and what must not.
#include "notation.h"

#include <gtest/gtest.h>

using namespace notation;

namespace {

const Expr a = sym("a"), b = sym("b"), n = index("n");

std::vector<AlgebraSymbol> positiveB() {
  AlgebraSymbol symbol;
  symbol.name = "b";
  symbol.signs = {false, false, true};
  return {symbol};
}

TEST(Identical, ExpandsPolynomials) {
  EXPECT_TRUE(polymend::identical((a + b) * (a - b), a * a - b * b, {}));
  EXPECT_FALSE(polymend::identical((a + b) * (a + b), a * a + b * b, {}));
}

TEST(Identical, MergesExponentials) {
  EXPECT_TRUE(polymend::identical(exp(a) * exp(b), exp(a + b), {}));
  EXPECT_TRUE(polymend::identical(of(Op::Exp2, a) * of(Op::Exp2, -a), num(1), {}));
  EXPECT_FALSE(polymend::identical(exp(a) * exp(b), exp(a * b), {}));
}

TEST(Identical, SplitsLogarithmsOnlyOfPositiveFactors) {
  EXPECT_TRUE(polymend::identical(log(b * b), num(2) * log(b), positiveB()));
  EXPECT_FALSE(polymend::identical(log(a * a), num(2) * log(a), {}));
}

TEST(Identical, RootsOfSquaresAreAbsoluteValues) {
  EXPECT_TRUE(polymend::identical(sqrt(a * a), abs(a), {}));
  EXPECT_FALSE(polymend::identical(sqrt(a * a), a, {}));
  EXPECT_TRUE(polymend::identical(sqrt(b * b), b, positiveB()));
}

TEST(Identical, DividesExactly) {
  EXPECT_TRUE(polymend::identical((a * a - b * b) / (a - b), a + b, {}));
  EXPECT_TRUE(polymend::identical(a / (a + b) + b / (a + b), num(1), {}));
}

TEST(Identical, RootsKeepTheSignOfWhatTheyAreOf) {
  EXPECT_TRUE(polymend::identical(sqrt(-a) * sqrt(-a), -a, {}));
  EXPECT_TRUE(polymend::identical(sqrt(num(-4) * a), num(2) * sqrt(-a), {}));
  EXPECT_FALSE(polymend::identical(sqrt(-a) * sqrt(-a), a, {}));
  EXPECT_FALSE(polymend::identical(sqrt(-a), sqrt(a), {}));
}

TEST(Identical, KnowsTheSignBesideAnExtreme) {
  const Expr largest = of(Op::FMax, a, b);
  EXPECT_TRUE(polymend::identical(abs(largest - a), largest - a, {}));
  EXPECT_TRUE(polymend::identical(abs(a - largest), largest - a, {}));
  EXPECT_FALSE(polymend::identical(abs(largest * largest - a), largest * largest - a, {}));
}

TEST(Identical, DividesByAPowerOnce) {
  const Expr square = (a + b) * (a + b);
  EXPECT_TRUE(polymend::identical(a / square + b / square, num(1) / (a + b), {}));
  EXPECT_FALSE(polymend::identical(a / square + b / square, num(1), {}));
  EXPECT_TRUE(polymend::identical(a / (a + b) / (a + b) + b / (a + b) / (a + b), num(1) / (a + b), {}));
  EXPECT_FALSE(polymend::identical(a / (a + b) / (a + b) + b / (a + b) / (a + b), num(1), {}));
}

TEST(Identical, DividesByAProductAsByEachFactor) {
  const Expr left = a / (num(1) + b) / (num(2) + n), right = a / ((num(1) + b) * (num(2) + n));
  EXPECT_TRUE(polymend::identical(left, right, {}));
  EXPECT_TRUE(polymend::identical(exp(left), exp(right), {}));
  EXPECT_FALSE(polymend::identical(left, a / ((num(1) + b) + (num(2) + n)), {}));
}

TEST(Identical, AddsAngles) {
  const auto cosine = [](const Expr &e) { return of(Op::Cos, e); };
  const auto sine = [](const Expr &e) { return of(Op::Sin, e); };
  EXPECT_TRUE(polymend::identical(cosine(a + b), cosine(a) * cosine(b) - sine(a) * sine(b), {}));
  EXPECT_FALSE(polymend::identical(cosine(a + b), cosine(a) * cosine(b) + sine(a) * sine(b), {}));
}

TEST(Identical, ConstantsAreExact) {
  EXPECT_TRUE(polymend::identical(a * num(0.125), a / num(8), {}));
  EXPECT_FALSE(polymend::identical(a * num(0.1), a / num(10), {}));
  EXPECT_FALSE(polymend::identical(a + num(1e-300), a, {}));
}

TEST(Identical, MaskedExponentialsAreZeroWeights) {
  const Expr test = less(index("j"), index("i"));
  EXPECT_TRUE(polymend::identical(exp(select(test, a, -infinity()) - b), select(test, exp(a - b), num(0)), {}));
  EXPECT_FALSE(polymend::identical(exp(select(test, a, -infinity()) - b), exp(a - b), {}));
}

TEST(Identical, IntegerDivisionIsNotExact) {
  const Expr two = Expr::integer(2), half = Expr::make(Op::Div, {n, two});
  EXPECT_FALSE(polymend::identical(half * two, n, {}));
}

TEST(Identical, NarrowingCastsAreIdentitiesOverTheReals) {
  EXPECT_TRUE(polymend::identical(Expr::cast(Type::Float16, a), a, {}));
  EXPECT_FALSE(polymend::identical(Expr::cast(Type::Int32, a), a, {}));
}

TEST(Direction, FollowsTheRulesOfCalculus) {
  using polymend::direction;
  EXPECT_EQ(direction(a - b, "a", {}), 1);
  EXPECT_EQ(direction(a - b, "b", {}), -1);
  EXPECT_EQ(direction((a - b) * num(0.5), "b", {}), -1);
  EXPECT_EQ(direction(a, "b", {}), 0);
  EXPECT_EQ(direction(a * b, "a", {}), std::nullopt);
  EXPECT_EQ(direction(a * b, "a", positiveB()), 1);
  EXPECT_EQ(direction(a * a, "a", {}), std::nullopt);
}

} // namespace
