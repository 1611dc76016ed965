// How subscripts move with a loop variable.
#include "device/stride.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::device_room;

namespace {

Expr symbol(const std::string &name) { return Expr::symbol(name, Type::Int64); }

} // namespace

TEST(Step, IsTheFactorOnEitherSide) {
  const Expr i = symbol("i"), four = Expr::integer(4);
  EXPECT_EQ(stepOf(Expr::make(Op::Mul, {i, four}) + symbol("n"), "i"), 4);
  EXPECT_EQ(stepOf(Expr::make(Op::Mul, {four, i}) - i, "i"), 3);
  EXPECT_EQ(stepOf(Expr::make(Op::Mul, {i, symbol("n")}), "i"), std::nullopt);
  EXPECT_EQ(stepOf(symbol("n"), "i"), 0);
}

TEST(Difference, IsKnownWhereNoSymbolIsLeft) {
  const Expr i = symbol("i"), n = symbol("n");
  EXPECT_EQ(differenceOf(i + (n - i) + Expr::integer(2), n), 2);
  EXPECT_EQ(differenceOf(Expr::make(Op::Mul, {i, Expr::integer(4)}), i + i + i + i), 0);
  EXPECT_EQ(differenceOf(i, n), std::nullopt);
  EXPECT_EQ(differenceOf(Expr::make(Op::Mul, {i, n}), Expr::make(Op::Mul, {i, n})), std::nullopt);
}
