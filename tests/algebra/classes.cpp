// Classes of floating-point values against the machine's own arithmetic on representatives, and what they must not
// lose.
#include "polymend/classes.h"

#include "notation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace notation;
using namespace polymend;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
constexpr double tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();

Classes classOf(double value) {
  if (std::isnan(value)) return classes::NaN;
  if (std::isinf(value)) return value < 0 ? classes::MinusInfinity : classes::PlusInfinity;
  return value < 0 ? classes::Negative : value > 0 ? classes::Positive : classes::Zero;
}

Classes ofPair(Op op, Classes x, Classes y) {
  const Expr a = Expr::symbol("a", Type::Float64), b = Expr::symbol("b", Type::Float64);
  return classesOf(Expr::make(op, Type::Float64, {a, b}), [&](const Expr &node) -> std::optional<Classes> {
    if (node.op() != Op::Symbol) return std::nullopt;
    return node->name == "a" ? x : y;
  });
}

const double values[] = {nan, -inf, -huge, -1, -tiny, 0, tiny, 0.5, 1, huge, inf};

TEST(Classes, HoldEveryResultOfArithmetic) {
  for (const double x : values)
    for (const double y : values) {
      const auto expect = [&](Op op, double result) {
        EXPECT_TRUE(ofPair(op, classOf(x), classOf(y)) & classOf(result))
            << x << " " << static_cast<int>(op) << " " << y;
      };
      expect(Op::Add, x + y);
      expect(Op::Sub, x - y);
      expect(Op::Mul, x * y);
      expect(Op::Div, x / y);
      expect(Op::FMax, std::fmax(x, y));
      expect(Op::FMin, std::fmin(x, y));
      expect(Op::Max, std::max(x, y));
      expect(Op::Min, std::min(x, y));
    }
}

TEST(Classes, KnowThatASquareIsNotNegative) {
  const Expr a = Expr::symbol("a", Type::Float64);
  for (const double x : values)
    EXPECT_TRUE(classesOf(a * a,
                          [&](const Expr &node) {
                            return node.op() == Op::Symbol ? std::optional(classOf(x)) : std::nullopt;
                          }) &
                classOf(x * x))
        << x;
  EXPECT_EQ(classesOf(a * a, [](const Expr &) { return std::nullopt; }),
            classes::NaN | classes::Zero | classes::Positive | classes::PlusInfinity);
}

TEST(Classes, HoldEveryResultOfFunctions) {
  for (const double x : values) {
    const auto expect = [&](Op op, double result) {
      EXPECT_TRUE(ofPair(op, classOf(x), classes::Any) & classOf(result)) << static_cast<int>(op) << " of " << x;
    };
    expect(Op::Exp, std::exp(x));
    expect(Op::Exp2, std::exp2(x));
    expect(Op::Log, std::log(x));
    expect(Op::Sqrt, std::sqrt(x));
    expect(Op::Tanh, std::tanh(x));
    expect(Op::Abs, std::abs(x));
  }
}

TEST(Classes, AreExactAboutInfinities) {
  EXPECT_EQ(ofPair(Op::Sub, classes::MinusInfinity, classes::Finite), classes::MinusInfinity);
  EXPECT_EQ(ofPair(Op::Sub, classes::MinusInfinity, classes::MinusInfinity), classes::NaN);
  EXPECT_EQ(ofPair(Op::Exp, classes::MinusInfinity, classes::Any), classes::Zero);
  EXPECT_EQ(ofPair(Op::Mul, classes::Zero, classes::Finite), classes::Zero);
  EXPECT_EQ(ofPair(Op::Mul, classes::Zero, classes::PlusInfinity), classes::NaN);
}

TEST(Classes, KnowWhichConversionsNarrow) {
  const auto finite = [](Type from, Type to) {
    const Expr value = Expr::cast(to, Expr::symbol("a", from));
    return classesOf(value, [](const Expr &node) {
      return node.op() == Op::Symbol ? std::optional(classes::Positive) : std::nullopt;
    });
  };
  EXPECT_EQ(finite(Type::BFloat16, Type::Float32), classes::Positive);
  EXPECT_EQ(finite(Type::Float32, Type::Float64), classes::Positive);
  EXPECT_EQ(finite(Type::Float16, Type::Float32), classes::Positive);
  EXPECT_EQ(finite(Type::Float16, Type::BFloat16), classes::Positive);
  EXPECT_TRUE(finite(Type::Float32, Type::Float16) & classes::PlusInfinity);
  EXPECT_TRUE(finite(Type::Float32, Type::BFloat16) & classes::Zero);
}

} // namespace
