// Expressions: typing, text, equality, rewriting and integer simplification.
#include "polymend/expr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace polymend;

namespace {

Expr symbol(const char *name) { return Expr::symbol(name, Type::Int64); }
Expr number(std::int64_t value) { return Expr::integer(value); }
Expr value(const char *name) { return Expr::symbol(name, Type::Float32); }

TEST(Show, WritesSubscriptsAndCalls) {
  const Expr s = Expr::read("s", {symbol("i"), symbol("j")}, Type::Float32);
  EXPECT_EQ(show(Expr::make(Op::Exp, {s - value("m")})), "exp(s[i][j] - m)");
  EXPECT_EQ(show(Expr::read("acc", {}, Type::Float32)), "acc");
}

TEST(Show, ParenthesesOnlyWhereNeeded) {
  const Expr a = value("a"), b = value("b"), c = value("c");
  EXPECT_EQ(show(a * (b + c)), "a * (b + c)");
  EXPECT_EQ(show(a * b + c), "a * b + c");
  EXPECT_EQ(show(a - (b - c)), "a - (b - c)");
  EXPECT_EQ(show((a - b) - c), "a - b - c");
  EXPECT_EQ(show(Expr::make(Op::Div, {a, b * c})), "a / (b * c)");
  EXPECT_EQ(show(Expr::make(Op::Neg, {a + b})), "-(a + b)");
  EXPECT_EQ(show(Expr::make(Op::Select, {Expr::make(Op::Lt, {a, b}), b, a})), "a < b ? b : a");
  const Expr both = Expr::make(Op::And, {Expr::make(Op::Lt, {a, b}), Expr::make(Op::Le, {b, c})});
  EXPECT_EQ(show(Expr::make(Op::Not, {both})), "!(a < b && b <= c)");
  EXPECT_EQ(show(Expr::make(Op::Add, {symbol("i"), number(-3)})), "i - 3");
}

TEST(Show, NumbersReadBack) {
  EXPECT_EQ(show(Expr::real(0.1F)), "0.1");
  EXPECT_EQ(show(Expr::real(0.1, Type::Float64)), "0.1");
  EXPECT_EQ(show(Expr::real(2)), "2.0");
  EXPECT_EQ(show(Expr::real(-std::numeric_limits<double>::infinity())), "-INFINITY");
  EXPECT_EQ(show(Expr::real(std::nan(""))), "NAN");
  EXPECT_EQ(show(Expr::cast(Type::Float64, value("x"))), "double(x)");
}

TEST(Make, FollowsUsualConversions) {
  const Expr f = value("f"), d = Expr::symbol("d", Type::Float64), i = Expr::symbol("i", Type::Int32);
  const Expr h = Expr::symbol("h", Type::BFloat16);
  EXPECT_EQ((f + d).type(), Type::Float64);
  EXPECT_EQ((i * f).type(), Type::Float32);
  EXPECT_EQ((h * f).type(), Type::Float32);
  EXPECT_EQ((i + symbol("j")).type(), Type::Int64);
  EXPECT_EQ(Expr::make(Op::Lt, {f, f}).type(), Type::Bool);
  EXPECT_EQ(Expr::make(Op::Exp, {i}).type(), Type::Float64);
  EXPECT_EQ(Expr::make(Op::Select, {Expr::make(Op::Lt, {f, f}), f, d}).type(), Type::Float64);
}

TEST(Equal, IgnoresPlacesAndAccessNumbers) {
  SourceRange place;
  place.line = 3;
  const Expr a = Expr::make(Op::Exp, {Expr::read("s", {symbol("i")}, Type::Float32, 0)}, place);
  const Expr b = Expr::make(Op::Exp, {Expr::read("s", {symbol("i")}, Type::Float32, 7)});
  EXPECT_TRUE(equal(a, b));
  EXPECT_FALSE(equal(a, Expr::make(Op::Exp, {Expr::read("s", {symbol("j")}, Type::Float32)})));
  EXPECT_FALSE(equal(Expr::real(0.0), Expr::real(-0.0)));
  EXPECT_FALSE(equal(Expr::real(1, Type::Float32), Expr::real(1, Type::Float64)));
  EXPECT_TRUE(equal(Expr(), Expr()));
  EXPECT_FALSE(equal(Expr(), a));
}

TEST(Rewrite, SubstitutesAndSharesWhatStays) {
  const Expr e = Expr::make(Op::Add, {symbol("i") * symbol("n"), symbol("j")});
  const auto f = [](const std::string &name) { return name == "j" ? number(5) : Expr(); };
  const Expr result = substitute(e, f);
  EXPECT_EQ(show(result), "i * n + 5");
  EXPECT_EQ(result.arg(0).identity(), e.arg(0).identity());
  EXPECT_EQ(substitute(e, [](const std::string &) { return Expr(); }).identity(), e.identity());
  EXPECT_EQ(symbols(e), (std::set<std::string>{"i", "j", "n"}));
  EXPECT_EQ(size(e), 5U);
}

TEST(Simplify, CollectsLinearForms) {
  const Expr i = symbol("i"), j = symbol("j");
  EXPECT_EQ(show(simplify(i + number(1) - number(1))), "i");
  EXPECT_EQ(show(simplify(number(0) + i * number(1))), "i");
  EXPECT_EQ(show(simplify(number(4) * i - i + j - j)), "3 * i");
  EXPECT_EQ(show(simplify(i - i)), "0");
  EXPECT_EQ(show(simplify(Expr::make(Op::Neg, {j}) + i)), "i - j");
  EXPECT_EQ(show(simplify(i * j + number(0))), "i * j");
  EXPECT_EQ(show(simplify(i - (j - number(2)))), "i - j + 2");
}

TEST(Simplify, FoldsDivisionAsTheOperatorSays) {
  const auto folded = [](Op op, std::int64_t a, std::int64_t b) {
    return show(simplify(Expr::make(op, {number(a), number(b)})));
  };
  EXPECT_EQ(folded(Op::Div, -7, 2), "-3");
  EXPECT_EQ(folded(Op::FloorDiv, -7, 2), "-4");
  EXPECT_EQ(folded(Op::Mod, -7, 2), "-1");
  EXPECT_EQ(folded(Op::FloorMod, -7, 2), "1");
  EXPECT_EQ(folded(Op::FloorMod, 7, -2), "-1");
  EXPECT_EQ(folded(Op::Min, 3, -2), "-2");
  EXPECT_EQ(folded(Op::Div, 1, 0), "1 / 0");
}

TEST(Simplify, FoldsBitsOfNumbersOfTwosComplement) {
  const Expr i = symbol("i");
  const auto folded = [](Op op, const Expr &a, const Expr &b) { return show(simplify(Expr::make(op, {a, b}))); };
  EXPECT_EQ(folded(Op::BitAnd, number(-4), number(7)), "4");
  EXPECT_EQ(folded(Op::BitOr, number(-8), number(3)), "-5");
  EXPECT_EQ(folded(Op::BitXor, number(6), number(3)), "5");
  EXPECT_EQ(folded(Op::BitAnd, i, number(-1)), "i");
  EXPECT_EQ(folded(Op::BitAnd, i, number(0)), "0");
  EXPECT_EQ(folded(Op::BitOr, i, number(0)), "i");
  EXPECT_EQ(folded(Op::ShiftRight, i, number(0)), "i");
  EXPECT_EQ(folded(Op::ShiftLeft, i + number(1), i), "(i + 1) << i");
}

TEST(Simplify, DividesWhatEveryTermHolds) {
  const Expr i = symbol("i"), sum = number(8) * i - number(4) * symbol("j") + number(12);
  const auto divided = [](Op op, const Expr &a, std::int64_t b) {
    return show(simplify(Expr::make(op, {a, number(b)})));
  };
  EXPECT_EQ(divided(Op::FloorDiv, sum, 4), "2 * i - j + 3");
  EXPECT_EQ(divided(Op::Div, sum, 4), "2 * i - j + 3");
  EXPECT_EQ(divided(Op::FloorMod, sum, 4), "0");
  EXPECT_EQ(divided(Op::Mod, sum, 2), "0");
  EXPECT_EQ(divided(Op::Div, sum, 8), "(8 * i - 4 * j + 12) / 8");
  EXPECT_EQ(divided(Op::FloorDiv, i, 2), show(Expr::make(Op::FloorDiv, {i, number(2)})));
  EXPECT_EQ(divided(Op::Div, number(2) * i, -2), "2 * i / -2");
}

TEST(Simplify, TakesEachOperandOfAMinimumOnce) {
  const Expr i = symbol("i"), j = symbol("j");
  const auto least = [](const Expr &a, const Expr &b) { return Expr::make(Op::Min, {a, b}); };
  EXPECT_EQ(show(simplify(least(least(i, j), i))), "min(i, j)");
  EXPECT_EQ(show(simplify(least(least(number(3), i), least(j, least(number(2), i))))), "min(min(2, i), j)");
  const Expr both = least(Expr::make(Op::Max, {i, j}), i);
  EXPECT_EQ(show(simplify(both)), show(both));
}

TEST(Simplify, LeavesOverflowAndFloatsAlone) {
  const Expr big = number(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(size(simplify(Expr::make(Op::Add, {big, number(1)}))), 3U);
  const Expr x = value("x");
  EXPECT_EQ(show(simplify(x + Expr::real(0))), "x + 0.0");
  EXPECT_EQ(show(simplify(Expr::read("a", {symbol("i") + number(0)}, Type::Float32))), "a[i]");
}

TEST(Simplify, DecidesConstantConditions) {
  const Expr c = Expr::make(Op::Lt, {number(1), number(2)});
  const Expr open = Expr::make(Op::Lt, {symbol("i"), symbol("n")});
  EXPECT_EQ(show(simplify(Expr::make(Op::And, {c, open}))), "i < n");
  EXPECT_EQ(show(simplify(Expr::make(Op::Or, {c, open}))), "true");
  EXPECT_EQ(show(simplify(Expr::make(Op::Not, {c}))), "false");
}

TEST(Monoid, NeutralElements) {
  EXPECT_EQ(show(neutral(Monoid::Sum, Type::Float32)), "0.0");
  EXPECT_EQ(show(neutral(Monoid::Product, Type::Int32)), "1");
  EXPECT_EQ(show(neutral(Monoid::Max, Type::Float32)), "-INFINITY");
  EXPECT_EQ(show(neutral(Monoid::Min, Type::Float64)), "INFINITY");
  EXPECT_EQ(spell(Monoid::Max), "max");
}

TEST(Types, Spelling) {
  EXPECT_EQ(spell(Type::BFloat16), "__bf16");
  EXPECT_EQ(spell(Type::Float16), "_Float16");
  EXPECT_EQ(spell(Type::Int64), "std::int64_t");
  EXPECT_TRUE(isFloating(Type::BFloat16));
  EXPECT_FALSE(isInteger(Type::Bool));
}

TEST(FunctionNames, GoBothWays) {
  for (int k = 0; k <= static_cast<int>(Op::Cast); ++k) {
    const Op op = static_cast<Op>(k);
    if (const std::string_view name = functionName(op); !name.empty()) EXPECT_EQ(functionNamed(name), op) << name;
  }
  EXPECT_EQ(functionName(Op::Exp2), "exp2");
  EXPECT_EQ(functionName(Op::Add), "");
  EXPECT_EQ(functionNamed("erf"), std::nullopt);
}

} // namespace
