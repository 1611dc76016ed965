// Which outputs keep their value whatever pivot their states use.
#include "notation.h"

#include <gtest/gtest.h>

using namespace notation;

namespace {

const Expr c = sym("c"), m = sym("m"), l = sym("l"), v = sym("v"), out = sym("X");
const Reduction top{"m", Monoid::Max, c}, total{"l", Monoid::Sum, exp(c - m)};

std::vector<polymend::Carried> carried(const std::vector<Family> &families) {
  std::vector<polymend::Carried> result;
  for (const Family &f : families) {
    const auto corrections = polymend::derive(candidate(f));
    if (corrections.ok()) result.push_back({f.reductions.back().name, corrections->front()});
  }
  return result;
}

std::vector<polymend::AlgebraSymbol> symbolsOf(const Family &family) { return candidate(family).symbols; }

TEST(PivotFreedom, QuotientsOfSumsAboutOnePivotAreFree) {
  const Family sums{"", {top, total}, 1, true}, weighted{"", {top, {"X", Monoid::Sum, exp(c - m) * v}}, 1, true};
  const auto states = carried({sums, weighted});
  ASSERT_EQ(states.size(), 2U);
  EXPECT_TRUE(polymend::pivotFree(out / l, states, symbolsOf(weighted)));
  EXPECT_FALSE(polymend::pivotFree(out, states, symbolsOf(weighted)));
  EXPECT_FALSE(polymend::pivotFree(out * l, states, symbolsOf(weighted)));
}

TEST(PivotFreedom, ThePivotItselfMayBePartOfTheOutput) {
  const Family sums{"", {top, total}, 1, true};
  const auto states = carried({sums});
  EXPECT_TRUE(polymend::pivotFree(m + log(l), states, symbolsOf(sums)));
  EXPECT_FALSE(polymend::pivotFree(log(l), states, symbolsOf(sums)));
}

TEST(PivotFreedom, AFinalisationThatDividesIsFollowed) {
  const Family sums{"", {top, total}, 1, true};
  const Family divided{"", {top, total, {"X", Monoid::Sum, exp(c - m) / l * v}}, 1, true};
  const auto states = carried({sums, divided});
  ASSERT_EQ(states.size(), 2U);
  EXPECT_TRUE(polymend::pivotFree(out, states, symbolsOf(divided)));
}

/// A sum of what is never negative is no more so at any pivot; one of both signs may be, and its bound is then no
/// multiple of it.
TEST(PivotFreedom, KnowsTheSignsOfSums) {
  const Family sums{"", {top, total}, 1, true}, squares{"", {top, {"X", Monoid::Sum, exp(c - m) * v * v}}, 1, true},
      both{"", {top, {"X", Monoid::Sum, exp(c - m) * v}}, 1, true};
  const Expr bounded = of(Op::Max, out, num(0)) / l;
  EXPECT_TRUE(polymend::pivotFree(bounded, carried({sums, squares}), symbolsOf(squares)));
  EXPECT_FALSE(polymend::pivotFree(bounded, carried({sums, both}), symbolsOf(both)));
}

/// A maximum over a moving reference is mended by no factor: what is made of it is not followed.
TEST(PivotFreedom, OnlySumsAreFollowed) {
  const Family largest{"", {top, {"X", Monoid::Max, num(2) * c - m}}, 1, false};
  const auto states = carried({largest});
  ASSERT_EQ(states.size(), 1U);
  ASSERT_EQ(states.front().correction.carry, Monoid::Max);
  EXPECT_FALSE(polymend::pivotFree(out + m, states, symbolsOf(largest)));
}

} // namespace
