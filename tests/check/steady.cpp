// Which elements of a source mean anything: those that roundings and the choice among zeros leave where they are.
#include "check/steady.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace polymend;

namespace {

TileArray argument(const std::string &name, bool written) {
  TileArray array;
  array.name = name;
  array.type = Type::Float32;
  array.space = Space::Argument;
  array.extents = {Expr::integer(1)};
  array.written = written;
  return array;
}

const Expr zero = Expr::integer(0);

Expr read(const std::string &array) { return Expr::read(array, {zero}, Type::Float32); }

/// A program of x that stores in t, then in y.
TileProgram storing(Update update, const Expr &t, const Expr &y) {
  Kernel kernel;
  kernel.name = "kernel";
  kernel.body = {TileAssign{{"t", {zero}}, update, t, {}}, TileAssign{{"y", {zero}}, Update::Set, y, {}}};
  TileProgram program;
  program.function = "storing";
  program.arrays = {argument("x", false), argument("t", true), argument("y", true)};
  program.kernels = {kernel};
  return program;
}

/// What is left of 7 in y where the source makes something else of x = 0.75, and t begins with 0.
double leftOfSeven(const TileProgram &source) {
  const Memory start{{}, {}, {{"x", {0.75}}, {"t", {0}}, {"y", {0}}}};
  Memory wanted = start;
  EXPECT_EQ(interpret(source, wanted), std::nullopt);
  Memory got = wanted;
  got.arrays[2].second[0] = 7;
  return whereSteady(source, start, wanted, got).arrays[2].second[0];
}

} // namespace

TEST(Steady, IsWhatRoundingsLeave) {
  EXPECT_EQ(leftOfSeven(storing(Update::Set, read("x"), read("t") + read("x"))), 7);
}

TEST(Steady, IsNotAQuotientByRoundingsOfWhatIsStored) {
  const Expr nothing = Expr::make(Op::Sub, {read("x"), read("x")}),
             rounding = Expr::make(Op::Sub, {read("t"), read("x")});
  EXPECT_TRUE(std::isnan(leftOfSeven(storing(Update::Set, read("x"), Expr::make(Op::Div, {nothing, rounding})))));
}

/// Nothing is left of 0 where it is a difference of roundings: not its sign, and no digit.
TEST(Steady, IsNoDifferenceOfRoundingsHoweverSmall) {
  EXPECT_NE(leftOfSeven(storing(Update::Set, read("x"), Expr::make(Op::Sub, {read("t"), read("x")}))), 7);
}

TEST(Steady, IsNotAQuotientByOneOfTwoZeros) {
  const Expr minusZero = Expr::make(Op::Mul, {Expr::real(-0.0), read("x")});
  const Expr quotient = Expr::make(Op::Div, {Expr::real(1), read("t")});
  EXPECT_TRUE(std::isinf(leftOfSeven(storing(Update::FMax, minusZero, quotient))));
  EXPECT_EQ(leftOfSeven(storing(Update::FMax, read("x"), quotient)), 7);
  const Expr chosen = Expr::make(Op::FMin, {read("t"), minusZero});
  EXPECT_TRUE(std::isinf(leftOfSeven(storing(Update::Set, chosen, quotient))));
}
