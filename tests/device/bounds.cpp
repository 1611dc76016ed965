// Bounds against enumeration: every point of a region lies in its box, and in the constant bounds.
#include "device/bounds.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::device_room;

namespace {

Expr symbol(const std::string &name) { return Expr::symbol(name, Type::Int64); }
Expr number(std::int64_t value) { return Expr::integer(value); }
Expr least(const Expr &a, const Expr &b) { return Expr::make(Op::Min, {a, b}); }
Expr most(const Expr &a, const Expr &b) { return Expr::make(Op::Max, {a, b}); }

std::int64_t value(const Expr &e, std::int64_t i, std::int64_t n) {
  const Expr bound = simplify(substitute(e, [&](const std::string &name) { return number(name == "i" ? i : n); }));
  EXPECT_EQ(bound.op(), Op::Integer);
  return bound->integer;
}

const PointDim row{"i", number(0), least(number(8), symbol("n")), PointDim::Kind::Parallel};

} // namespace

TEST(GpuBounds, MinimumIsBoundedByItsKnownSide) {
  const Interval b = boundsOf(least(number(64), symbol("n") - number(3)), {});
  EXPECT_EQ(b.high(), 64);
  EXPECT_FALSE(b.low());
}

TEST(GpuBounds, SubtractionTurnsBounds) {
  const Interval b = boundsOf(number(10) - number(2) * symbol("i"), {{"i", {1, 4}}});
  EXPECT_EQ(b.low(), 2);
  EXPECT_EQ(b.high(), 8);
}

TEST(GpuBounds, FloorDivisionRoundsDown) {
  const Interval b = boundsOf(Expr::make(Op::FloorDiv, {symbol("i"), number(4)}), {{"i", {-5, 7}}});
  EXPECT_EQ(b.low(), -2);
  EXPECT_EQ(b.high(), 1);
}

TEST(GpuBounds, OverflowIsNoBound) { EXPECT_FALSE(boundsOf(symbol("i") * number(INT64_MAX), {{"i", {0, 2}}}).high()); }

TEST(GpuBounds, BoxHoldsEveryPoint) {
  const std::vector<Expr> limits{symbol("i") + number(1), least(number(6), number(5) - symbol("i")),
                                 most(symbol("i") - symbol("n"), number(2) * symbol("i"))};
  for (const Expr &limit : limits) {
    const std::vector<PointDim> dims{row, {"j", number(0) - symbol("i"), limit, PointDim::Kind::Parallel}};
    const std::optional<Box> box = boxOf(dims, 1);
    ASSERT_TRUE(box);
    for (std::int64_t n = 1; n < 10; ++n)
      for (std::int64_t i = 0; i < std::min<std::int64_t>(8, n); ++i) {
        EXPECT_LE(value(box->first, -99, n), -i);
        EXPECT_GE(value(box->limit, -99, n), value(limit, i, n));
      }
  }
}

TEST(GpuBounds, WhatIsNotMonotoneHasNoBox) {
  const Expr square = symbol("i") * symbol("i");
  EXPECT_FALSE(boxOf({row, {"j", number(0), square, PointDim::Kind::Parallel}}, 1));
}
