// Intervals against enumeration: no value of an operation lies outside, and where all ends are small none is given
// away.
#include "polymend/interval.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace polymend;

namespace {

std::int64_t floorDivision(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::int64_t apply(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
  case Op::Add: return a + b;
  case Op::Sub: return a - b;
  case Op::Mul: return a * b;
  case Op::Min: return std::min(a, b);
  case Op::Max: return std::max(a, b);
  case Op::Div: return a / b;
  case Op::FloorDiv: return floorDivision(a, b);
  case Op::Mod: return a % b;
  case Op::BitAnd: return a & b;
  case Op::BitOr: return a | b;
  case Op::BitXor: return a ^ b;
  case Op::ShiftLeft: return a * (std::int64_t{1} << b);
  case Op::ShiftRight: return a >> b;
  default: return a - floorDivision(a, b) * b;
  }
}

bool divides(Op op) { return op == Op::Div || op == Op::FloorDiv || op == Op::Mod || op == Op::FloorMod; }

bool shifts(Op op) { return op == Op::ShiftLeft || op == Op::ShiftRight; }

/// Has the operation a value?
bool isDefined(Op op, std::int64_t b) { return divides(op) ? b != 0 : !shifts(op) || b >= 0; }

/// All values of an operation for operands in two intervals.
Interval enumerated(Op op, const Interval &a, const Interval &b) {
  Interval all{1, 0};
  for (auto x = *a.low(); x <= *a.high(); ++x)
    for (auto y = *b.low(); y <= *b.high(); ++y)
      if (isDefined(op, y)) {
        const Wide value = apply(op, x, y);
        all = all.empty() ? Interval{value, value} : hull(all, {value, value});
      }
  return all;
}

Interval anything(const Expr &) { return {}; }

class Operation : public testing::TestWithParam<Op> {};

TEST_P(Operation, HoldsEveryValue) {
  const Op op = GetParam();
  const bool exact = op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Min || op == Op::Max;
  for (int low = -5; low <= 5; ++low)
    for (int high = low; high <= 5; ++high)
      for (int least = -4; least <= 4; ++least)
        for (int most = least; most <= 4; ++most) {
          const Interval a{low, high}, b{least, most}, found = intervalOf(op, a, b), all = enumerated(op, a, b);
          if (all.empty()) continue;
          EXPECT_LE(found.least, all.least) << low << ".." << high << " " << least << ".." << most;
          EXPECT_GE(found.most, all.most) << low << ".." << high << " " << least << ".." << most;
          if (exact) {
            EXPECT_TRUE(found.least == all.least && found.most == all.most);
          }
        }
}

TEST_P(Operation, HoldsEveryValueWhereAnEndIsOpen) {
  const Op op = GetParam();
  for (int end = -3; end <= 3; ++end)
    for (int least = -3; least <= 3; ++least)
      for (int most = least; most <= 3; ++most) {
        const Interval b{least, most};
        const Interval above = intervalOf(op, {end, Interval::Open}, b),
                       below = intervalOf(op, {-Interval::Open, end}, b);
        const Interval up = enumerated(op, {end, end + 20}, b), down = enumerated(op, {end - 20, end}, b);
        if (up.empty()) continue;
        EXPECT_TRUE(above.least <= up.least && up.most <= above.most) << end << " " << least << ".." << most;
        EXPECT_TRUE(below.least <= down.least && down.most <= below.most) << end << " " << least << ".." << most;
      }
}

INSTANTIATE_TEST_SUITE_P(Interval, Operation,
                         testing::Values(Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max, Op::Div, Op::FloorDiv, Op::Mod,
                                         Op::FloorMod, Op::BitAnd, Op::BitOr, Op::BitXor, Op::ShiftLeft,
                                         Op::ShiftRight));

TEST(Interval, StaysOpen) {
  const Interval above{3, Interval::Open};
  EXPECT_EQ(intervalOf(Op::Sub, above, {5, 5}).high(), std::nullopt);
  EXPECT_EQ(intervalOf(Op::Sub, above, {5, 5}).low(), -2);
  EXPECT_EQ(intervalOf(Op::FloorDiv, above, {2, 2}).high(), std::nullopt);
  EXPECT_EQ(intervalOf(Op::Mul, above, {0, 0}).high(), 0);
}

TEST(Interval, OfMoreThan64BitsHasNoEnd) {
  const Interval most{INT64_MAX, INT64_MAX};
  EXPECT_EQ(intervalOf(Op::Mul, most, {2, 2}).high(), std::nullopt);
  EXPECT_EQ(intervalOf(Op::Sub, intervalOf(Op::Mul, most, {2, 2}), most).high(), INT64_MAX);
}

TEST(Interval, OfAnExpressionAsksForItsLeaves) {
  const Expr i = Expr::symbol("i", Type::Int64), element = Expr::read("at", {i}, Type::Int32);
  const Expr e = Expr::make(Op::Select, {Expr::make(Op::Lt, {i, element}), i + element, Expr::integer(-7)});
  const auto leaf = [](const Expr &of) { return of.op() == Op::Read ? Interval{0, 9} : Interval{1, 2}; };
  EXPECT_EQ(intervalOf(e, leaf).low(), -7);
  EXPECT_EQ(intervalOf(e, leaf).high(), 11);
}

TEST(Interval, OfBitsIsThatOfTheLeadingOnes) {
  const Interval byte{0, 200}, mask{0, 15};
  EXPECT_EQ(intervalOf(Op::BitAnd, {INT32_MIN, INT32_MAX}, mask).high(), 15);
  EXPECT_EQ(intervalOf(Op::BitAnd, {INT32_MIN, INT32_MAX}, mask).low(), 0);
  EXPECT_EQ(intervalOf(Op::BitXor, byte, mask).high(), 255);
  EXPECT_EQ(intervalOf(Op::BitOr, byte, {64, 64}).low(), 0);
  EXPECT_EQ(intervalOf(Op::ShiftLeft, byte, {0, 24}).high(), 200LL << 24);
}

TEST(Interval, OfAShiftThatIsCutOffIsAnything) {
  const Expr number = Expr::symbol("a", Type::Int32);
  const Expr shifted = Expr::make(Op::ShiftLeft, Type::Int32, {number, Expr::integer(31)});
  EXPECT_EQ(intervalOf(shifted, [](const Expr &) { return Interval{0, 10}; }).low(), INT32_MIN);
}

TEST(Interval, OfWhatIsNoIntegerIsAnything) {
  const Expr x = Expr::symbol("x", Type::Float32);
  EXPECT_EQ(intervalOf(Expr::cast(Type::Int32, x), anything).low(), std::nullopt);
  EXPECT_EQ(intervalOf(Expr::make(Op::Min, {x, Expr::real(2)}), anything).high(), std::nullopt);
}

} // namespace
