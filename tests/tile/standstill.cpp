// What a state takes in while the extreme that it waits for has not moved: nothing, no number, or something that
// counts.
#include "tile/phase/standstill.h"

#include "../compilation.h"

#include "polymend/tile.h"

#include <cmath>

using namespace polymend;
using namespace polymend::tests;

namespace {

const Type f32 = Type::Float32;
const Expr j = Expr::symbol("j", Type::Int64), i = Expr::symbol("i", Type::Int64);
const Expr x = Expr::read("x", {j}, f32), w = Expr::read("w", {j}, f32), pivot = Expr::read("m_pivot", {}, f32);
const Expr none = Expr::real(-INFINITY, f32), zero = Expr::real(0, f32);

Expr on(Op op, const Expr &a) { return Expr::make(op, f32, {a}); }
Expr over(const Expr &a, const Expr &b) { return Expr::make(Op::Div, f32, {a, b}); }
Expr choice(const Expr &condition, const Expr &a, const Expr &b) {
  return Expr::make(Op::Select, f32, {condition, a, b});
}
Expr less(const Expr &a, const Expr &b) { return Expr::make(Op::Le, Type::Bool, {a, b}); }
Expr both(const Expr &a, const Expr &b) { return Expr::make(Op::And, Type::Bool, {a, b}); }

struct Case {
  std::string name;
  StandingExtreme standing;
  std::vector<Expr> elements;
  bool stands;
  Monoid carry = Monoid::Sum;
};

void PrintTo(const Case &own, std::ostream *out) { *out << own.name; }

class Standstill : public testing::TestWithParam<Case> {};

Expr weight(const Expr &score) { return on(Op::Exp, score - pivot); }

std::vector<Case> cases() {
  const StandingExtreme maximum{x, Monoid::Max, -INFINITY}, minimum{x, Monoid::Min, INFINITY},
      magnitude{on(Op::Abs, x), Monoid::Max, 0}, square{x * x, Monoid::Max, 0};
  const Expr shown = less(j, i), other = less(zero, w);
  const StandingExtreme masked{choice(shown, x, none), Monoid::Max, -INFINITY};
  return {
      {"WeightsOfTheScore", maximum, {weight(x)}, true},
      {"WeightsOfTheLeast", minimum, {on(Op::Exp, pivot - x)}, true},
      {"WeightsOfAnotherScore", maximum, {weight(w)}, false},
      {"WeightsTheOtherWayAround", maximum, {on(Op::Exp, pivot - x)}, true},
      {"WeightsOfWeightedElements", maximum, {weight(x) * w, weight(x)}, true},
      {"ElementsBesideTheScore", maximum, {weight(x) + w}, false},
      {"TheScoreItself", maximum, {x - pivot}, true},
      {"WhatTheMaskShows", masked, {weight(choice(shown, x, none))}, true},
      {"WhatBothMasksShow", masked, {choice(both(shown, other), weight(x), zero)}, true},
      {"WhatAnotherMaskShows", masked, {choice(other, weight(x), zero)}, false},
      {"AMaskAsAFactor", masked, {weight(x) * Expr::cast(f32, shown)}, true},
      {"NaNBesideTheMask",
       {choice(shown, x, on(Op::Sqrt, Expr::real(-1, f32))), Monoid::Max, -INFINITY},
       {weight(x)},
       false},
      {"RatiosToTheMagnitude", magnitude, {over(x, pivot) * over(x, pivot)}, true},
      {"RatiosOfOthers", magnitude, {over(w, pivot)}, false},
      {"RatiosBesideACount", magnitude, {over(x, pivot), Expr::real(1, f32)}, false},
      {"RatiosToASquareThatUnderflows", square, {over(x, pivot)}, false},
      {"RatiosOfTheSquare", square, {over(x * x, pivot)}, true},
      {"ANegatedSquareThatOverflows", {on(Op::Neg, x * x), Monoid::Max, -INFINITY}, {x * on(Op::Exp, pivot)}, false},
      {"AMagnitudeAboveOne", {on(Op::Abs, x), Monoid::Max, 1}, {over(x, pivot)}, false},
      {"AMaximumOfWeights", maximum, {weight(x)}, false, Monoid::Max},
      {"AMaximumOfScores", maximum, {x - pivot}, true, Monoid::Max},
      {"AMaximumThatIsShown", maximum, {weight(x), x}, true, Monoid::Max},
      {"AProduct", maximum, {weight(x)}, false, Monoid::Product},
  };
}

} // namespace

TEST_P(Standstill, IsKnown) {
  const Case &own = GetParam();
  const Classes standIn =
      own.standing.value == -INFINITY || own.standing.value == INFINITY ? classes::Zero : classes::Positive;
  EXPECT_EQ(standsStill(own.standing, {own.elements, own.carry, {pivot}, standIn}), own.stands);
}

INSTANTIATE_TEST_SUITE_P(Tile, Standstill, testing::ValuesIn(cases()),
                         [](const auto &info) { return info.param.name; });

namespace {

/// The program for sums of ratios to the greatest of `elements`.
std::string ratiosTo(const std::string &element) {
  const auto t = analyse("#include <cmath>\nvoid f(int n, int m, const float *x, float *y) {\n"
                         "  for (int i = 0; i < n; i++) {\n    float r = 0, s = 0;\n"
                         "    for (int j = 0; j < m; j++) r = std::fmax(r, " +
                         element +
                         ");\n    for (int j = 0; j < m; j++) s += x[i * m + j] / r * (x[i * m + j] / r);\n"
                         "    y[i] = s;\n  }\n}\n");
  const auto program = t.lowered();
  return program ? writeText(*program) : program.refusal().reason;
}

} // namespace

TEST(Standstill, OfASquareIsNoZeroElement) {
  EXPECT_EQ(ratiosTo("std::fabs(x[i * m + j])").find("r_blind[] == 2"), std::string::npos);
  EXPECT_NE(ratiosTo("x[i * m + j] * x[i * m + j]").find("r_blind[] == 2"), std::string::npos)
      << "what is no zero may have the square zero: " << ratiosTo("x[i * m + j] * x[i * m + j]");
}
