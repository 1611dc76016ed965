// What a posed problem knows before anything is derived: orders, and exponents that stay small.
#include "algebra/problem.h"
#include "algebra/draft.h"

#include "notation.h"

#include <gtest/gtest.h>

using namespace notation;
using namespace polymend::algebra;

namespace {

Candidate summedBeside(Monoid monoid) {
  return candidate({"", {{"r", monoid, sym("c")}, {"X", Monoid::Sum, exp(sym("c") - sym("r"))}}, 1, true});
}

TEST(Problem, OnlyExtremesAreOrdered) {
  EXPECT_TRUE(hasOrder(summedBeside(Monoid::Max)));
  EXPECT_TRUE(hasOrder(summedBeside(Monoid::Min)));
  EXPECT_FALSE(hasOrder(summedBeside(Monoid::Sum)));
  EXPECT_FALSE(hasOrder(summedBeside(Monoid::Product)));
}

/// Where elements move an exponent slightly they alone count; where they move it much, producers must not move it far.
TEST(Problem, ExponentsAreBoundedByTheirFunctions) {
  const auto posed = pose(summedBeside(Monoid::Max), false);
  ASSERT_TRUE(posed.ok());
  const auto bounded = [&](const Expr &e) { return boundedExponent(**posed, Importer((*posed)->terms).import(e)); };
  const Expr c = sym("c"), r = sym("r");
  EXPECT_TRUE(bounded(of(Op::Tanh, c)));
  EXPECT_TRUE(bounded(of(Op::Sin, c) + r));
  EXPECT_TRUE(bounded(num(2) * of(Op::Sin, c) - of(Op::Cos, c)));
  EXPECT_FALSE(bounded(num(2) * of(Op::Sin, c) - of(Op::Cos, c) + r));
  EXPECT_TRUE(bounded(num(20) * of(Op::Tanh, c) - log(r)));
  EXPECT_FALSE(bounded(c));
  EXPECT_FALSE(bounded(num(1e6) * of(Op::Tanh, c)));
  EXPECT_FALSE(bounded(num(1) / of(Op::Tanh, c)));
}

} // namespace
