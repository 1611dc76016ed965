// Values of fragments, arranged: the arrangement means what the value meant, conditions exactly, sums as nearly as
// another order of rounding does.
#include "device/arranged.h"

#include "tile/evaluate.h"
#include "understood.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace polymend;
using namespace polymend::device_room;
using testing_device::understood;

namespace {

const Type f32 = Type::Float32, i64 = Type::Int64;

Expr real(double value) { return Expr::real(value, f32); }
Expr number(std::int64_t value) { return Expr::integer(value); }
Expr one(Op op, const Expr &a) { return Expr::make(op, a.type(), {a}); }
Expr quotient(const Expr &a, const Expr &b) { return Expr::make(Op::Div, {a, b}); }
Expr asFloat(const Expr &e) { return Expr::cast(f32, e); }

const Expr s = Expr::symbol("s", f32), t = Expr::symbol("t", f32); // elements
const Expr m = Expr::symbol("m", f32), c = Expr::symbol("c", f32); // of the row
const Expr cx = Expr::symbol("cx", i64), i = Expr::symbol("i", i64);

ElementScope scope() { return {{"s", "t", "cx"}, "cx"}; }

struct Point {
  double s, t, m, c;
  std::int64_t cx, i;
};

std::vector<Point> points() {
  std::vector<Point> all;
  for (int k = 0; k < 200; ++k) {
    const auto part = [&](int prime, double scale) { return ((k * prime) % 37 - 18) * scale; };
    all.push_back({part(5, 0.25), part(11, 0.3), part(7, 0.2), part(13, 0.005) + 0.01, 8 * (k % 16) + k % 2,
                   (k * 17) % 301 - 150});
  }
  return all;
}

tile::Number at(const Expr &e, const Point &p) {
  tile::Environment env;
  env.integers = {{"cx", p.cx}, {"i", p.i}};
  env.scalars = {{"s", tile::Number::real(p.s)},
                 {"t", tile::Number::real(p.t)},
                 {"m", tile::Number::real(p.m)},
                 {"c", tile::Number::real(p.c)}};
  const tile::Number value = tile::evaluate(e, env);
  EXPECT_EQ(env.fault, std::nullopt) << *env.fault;
  return value;
}

Expr arranged(const Expr &value, bool approximates) { return arrange(value, scope(), approximates); }

std::vector<Expr> values() {
  const Expr difference = asFloat(Expr::cast(Type::Int32, cx * number(2)) - Expr::cast(Type::Int32, i));
  return {s,
          s * c - m,
          one(Op::Exp, s * real(0.125) - m),
          one(Op::Exp, (s - m) * real(0.125)),
          one(Op::Exp2, one(Op::Neg, s * c + m) + s),
          one(Op::Tanh, s * real(0.02) * c) * real(50),
          one(Op::Exp, real(2) * one(Op::Tanh, s * c) - m),
          one(Op::Exp, s * real(0.125) + c * asFloat(cx - i) - m),
          real(3) - (s - (t - m)) * c,
          (s + s) * c + s * real(-2) * c,
          s * t + m * c,
          s * s * real(0.5),
          quotient(s, m * m + real(1)),
          quotient(s * t, m * m + real(1)),
          quotient(m, s * s + real(1)),
          quotient(s * c - m, real(3)) + t,
          quotient(s + m, m * m + real(1)) * real(2) - t,
          one(Op::Exp, real(2) * one(Op::Tanh, quotient(s * c, real(2))) - real(0.5)),
          c * difference,
          asFloat(Expr::make(Op::FloorDiv, i64, {cx, number(3)})) * c + s,
          real(0.5) * s * (real(1) + one(Op::Tanh, real(0.8) * (s + real(0.04) * s * s * s))),
          Expr::make(Op::FMax, f32, {s * c - m, real(0)}),
          Expr::make(Op::Select, f32, {Expr::make(Op::Le, {cx, i}), s * c + m, real(-4)}),
          one(Op::Exp, m * real(0.5)),
          asFloat(number(7) - cx) - asFloat(number(-1) * cx)};
}

std::vector<Expr> conditions() {
  std::vector<Expr> all;
  const std::vector<Expr> sides = {cx,
                                   i,
                                   cx + i,
                                   i - cx,
                                   cx * number(3) - i,
                                   number(-2) * cx + number(5),
                                   i * number(2) + number(1),
                                   number(4) * (cx - i) + cx,
                                   Expr::make(Op::FloorDiv, i64, {i + cx, number(8)}),
                                   number(16)};
  for (const Expr &a : sides)
    for (const Expr &b : sides)
      for (const Op op : {Op::Le, Op::Lt, Op::Eq, Op::Ne}) all.push_back(Expr::make(op, {a, b}));
  const std::size_t plain = all.size();
  for (std::size_t k = 0; k + 7 < plain; k += 5) {
    all.push_back(Expr::make(Op::And, {all[k], all[k + 7]}));
    all.push_back(Expr::make(Op::Or, {Expr::make(Op::Not, {all[k + 3]}), all[k + 6]}));
  }
  return all;
}

} // namespace

TEST(Arranged, WhatOthersSubtractTooIsSubtractedAsTheyDo) {
  // Sums of exp(s c - m) that another kernel made have the difference rounded once: of large numbers a distributed one
  // would be off by more than the sum.
  const Expr given = Expr::read("given", {i}, f32), held = Expr::read("held", {i}, f32);
  ElementScope shared = scope();
  shared.memory = {"given"};
  const auto exponential = [&](const Expr &pivot) {
    return show(arrange(one(Op::Exp, s * real(0.5) - pivot), shared, false));
  };
  EXPECT_THAT(exponential(given), testing::HasSubstr("(s * 0.5 - given[i])"));
  EXPECT_THAT(exponential(held), testing::HasSubstr("fma("));
}

TEST(Arranged, ArrangementsMeanTheValue) {
  for (const bool fp : {false, true})
    for (const Expr &value : values()) {
      const Expr result = understood(arranged(value, fp));
      for (const Point &p : points()) {
        const double wanted = at(value, p).asReal(), got = at(result, p).asReal();
        EXPECT_NEAR(got, wanted, 2e-4 * std::max(1.0, std::abs(wanted))) << show(value) << " became " << show(result);
      }
    }
}

/// The scale of an exponential's argument is multiplied into what does not move: one fused multiply-add an element.
TEST(Arranged, ExponentialsTakeOneMultiplyAdd) {
  const Expr result = arranged(one(Op::Exp, s * real(0.125) - m), false);
  ASSERT_EQ(result.op(), Op::Call);
  const Expr inner = result.arg(0);
  ASSERT_EQ(inner.op(), Op::Call) << show(result);
  EXPECT_EQ(inner->name, "fma");
  EXPECT_TRUE(equal(inner.arg(0), s)) << show(result);
  EXPECT_FALSE(movesInRow(inner.arg(1), scope()));
  EXPECT_FALSE(movesInRow(inner.arg(2), scope()));
}

/// Numbers meet in one scale and one shift: a product, two exponentials, a sum, an inverse, a multiply-add.
TEST(Arranged, AnExponentialOfTanhTakesSixOperations) {
  const Expr squashed = real(50) * one(Op::Tanh, quotient(s * real(0.088), real(50)));
  for (const Expr &value : {one(Op::Exp, squashed), one(Op::Exp, squashed - real(3))}) {
    int operations = 0;
    visit(arranged(value, false), [&](const Expr &node) { operations += !node->args.empty(); });
    EXPECT_EQ(operations, 6) << show(arranged(value, false));
  }
}

TEST(Arranged, ADivisorThatHasNoNormalInverseIsDividedBy) {
  for (const double divisor : {1e-40, 0.0, 1e39}) {
    const Expr value = arranged(quotient(s, real(divisor)) + t, false);
    visit(value, [&](const Expr &node) {
      if (node.op() == Op::Real) EXPECT_TRUE(node->real == divisor || std::isnormal(node->real)) << show(value);
    });
  }
}

TEST(Arranged, ApproximateTanhIsTheInstruction) {
  const auto isInstruction = [](const Expr &e) {
    bool found = false;
    visit(e, [&](const Expr &node) {
      found = found || (node.op() == Op::Call && node->name == std::string(runtimeScope) + "tanhApprox");
    });
    return found;
  };
  EXPECT_FALSE(isInstruction(arranged(one(Op::Tanh, s), false)));
  EXPECT_TRUE(isInstruction(arranged(one(Op::Tanh, s), true)));
}

TEST(Arranged, ConditionsStayTheSame) {
  int bounds = 0;
  for (const Expr &condition : conditions()) {
    const Expr result = arrangeCondition(condition, scope());
    bounds += result.op() == Op::Le && (equal(result.arg(0), cx) || equal(result.arg(1), cx));
    for (const Point &p : points())
      EXPECT_EQ(at(condition, p).truth(), at(result, p).truth())
          << show(condition) << " became " << show(result) << " at cx=" << p.cx << ", i=" << p.i;
  }
  EXPECT_GT(bounds, 60);
}

/// A bound that no int holds still compares right with columns.
TEST(Arranged, BoundsFitAnInt) {
  for (const std::int64_t far : {std::int64_t{1} << 40, -(std::int64_t{1} << 40)}) {
    const Expr below = arrangeCondition(Expr::make(Op::Le, {cx, i}), scope());
    const Point p{0, 0, 0, 0, 9, far};
    EXPECT_EQ(at(below, p).truth(), far > 0);
    const std::int64_t bound = at(below.arg(1), p).integer();
    EXPECT_EQ(bound, static_cast<std::int32_t>(bound));
  }
}

TEST(Arranged, MaximaPassIncreasingFunctions) {
  const std::vector<Expr> all = {
      s, s * real(0.125), real(2) * (real(0.25) * s), s * real(-1), s * c, (s + t) * real(3), s * real(0)};
  for (const Expr &value : all) {
    const Monotone peeled = peelIncreasing(value, scope(), "hole");
    double most = -INFINITY, inner = -INFINITY;
    for (const Point &p : points()) {
      Point row = p;
      row.c = -0.5;
      most = std::fmax(most, at(value, row).asReal());
      inner = std::fmax(inner, at(peeled.inner, row).asReal());
    }
    tile::Environment env;
    env.scalars["hole"] = tile::Number::real(inner);
    EXPECT_EQ(tile::evaluate(peeled.outer, env).asReal(), most) << show(value);
  }
  EXPECT_TRUE(equal(peelIncreasing(real(2) * (real(0.25) * s), scope(), "hole").inner, s));
  EXPECT_FALSE(equal(peelIncreasing(s * real(-1), scope(), "hole").inner, s));
}
