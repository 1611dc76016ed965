// Traps that real systems fell into: each is a small input with the outcome that is right.
#include "rolling.h"

#include <gmock/gmock.h>

using namespace notation;
using polymend::Correction;
using testing::HasSubstr;

namespace {

Family chain(std::vector<Reduction> reductions) { return {"", std::move(reductions), 1, false}; }

Rows rowsOf(const std::vector<std::pair<std::string, std::vector<double>>> &columns) {
  Rows rows(columns.front().second.size());
  for (const auto &[name, values] : columns)
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k][name] = values[k];
  return rows;
}

TEST(Traps, AFactorThatIsZeroOnTheWayIsDeferred) {
  const Family family = chain({{"r", Monoid::Max, sym("x")}, {"X", Monoid::Sum, sym("y") * sym("r")}});
  const auto corrections = polymend::derive(candidate(family));
  ASSERT_TRUE(corrections.ok());
  EXPECT_FALSE(corrections->front().moves);
  const Rows rows = rowsOf({{"x", {-1, 0, 1}}, {"y", {1, 1, 1}}});
  EXPECT_EQ(rolling<double>(family, corrections->front(), rows, {1, false}), 3.0);
}

TEST(Traps, DividingByAFactorThatMayVanishIsGuarded) {
  const Family family =
      chain({{"a", Monoid::Max, abs(sym("c"))}, {"X", Monoid::Sum, (sym("c") / sym("a")) * (sym("c") / sym("a"))}});
  const auto corrections = polymend::derive(candidate(family));
  ASSERT_TRUE(corrections.ok());
  const Correction &best = corrections->front();
  ASSERT_EQ(best.nonzero.size(), 1U);
  EXPECT_EQ(polymend::show(best.nonzero[0]), "a");
  ASSERT_EQ(best.singular.size(), 1U);
  EXPECT_EQ(polymend::show(best.singular[0]), "a");
}

TEST(Traps, APowerOfTheSizeOfAQuotientIsScaledAsOneOfTheQuotientIs) {
  const Expr size = abs(sym("c") / sym("a"));
  const Family family = chain({{"a", Monoid::Sum, exp(sym("c"))}, {"X", Monoid::Sum, size * size * size}});
  const auto corrections = polymend::derive(candidate(family));
  ASSERT_TRUE(corrections.ok());
  EXPECT_TRUE(corrections->front().moves) << polymend::show(corrections->front().final);
  EXPECT_EQ(polymend::show(corrections->front().final), "#0");
}

TEST(Traps, AnExtremeIsFinishedAsTheSourceWritesItsElement) {
  const Expr c = sym("c"), y = sym("y"), r = sym("r");
  const auto finished = [&](const Expr &element) {
    const auto corrections =
        polymend::derive(candidate(chain({{"r", Monoid::Sum, sym("x")}, {"X", Monoid::Min, element}})));
    if (!corrections) return corrections.refusal().reason;
    const Correction &best = corrections->front();
    return std::string(best.asSource ? "" : "otherwise ") + polymend::show(best.final);
  };
  EXPECT_EQ(finished(c - (r + num(1))), "#0 - (r + 1.0)"); // (#0 - r) - 1 is another number where r is large
  EXPECT_EQ(finished(num(1) / (num(1) + exp(-(c - r)))), "1.0 / (1.0 + exp(-(-#0 - r)))");
  EXPECT_EQ(finished((c / r) * (c / r)), "#0 / r * (#0 / r)");
  EXPECT_EQ(finished(num(3) * r + c - y), "otherwise r * 3.0 + #0");
}

TEST(Traps, AProducerThatCancelsIsNotInTheState) {
  const Expr c = sym("c"), r = sym("r");
  const auto corrections = polymend::derive(candidate(chain({{"r", Monoid::Max, c}, {"X", Monoid::Sum, (c * r) / r}})));
  ASSERT_TRUE(corrections.ok()) << corrections.refusal().reason;
  EXPECT_EQ(polymend::show(corrections->front().state[0]), "c");
  EXPECT_EQ(corrections->front().singular.size(), 1U);
}

TEST(Traps, ADivisorOfTheFinalisationIsTestedAtTheEnd) {
  const Expr c = sym("c"), m = sym("m"), l = sym("l");
  const Family family =
      chain({{"m", Monoid::Max, c}, {"l", Monoid::Sum, exp(c - m)}, {"X", Monoid::Sum, exp(c - m) / l}});
  const auto corrections = polymend::derive(candidate(family));
  ASSERT_TRUE(corrections.ok());
  const Correction &best = corrections->front();
  EXPECT_THAT(best.pivots, testing::ElementsAre("m"));
  EXPECT_EQ(polymend::show(best.regular.front()), "m");
  ASSERT_EQ(best.singular.size(), 1U);
  EXPECT_EQ(polymend::show(best.singular[0]), "l");
  EXPECT_EQ(polymend::show(best.final), "#0 / l");
  EXPECT_EQ(polymend::show(best.mend[0][0]), "exp(m - m')");
}

TEST(Traps, ALogarithmThatVanishesKeepsItsDomain) {
  const Expr c = sym("c"), r = sym("r");
  const Family family = chain({{"r", Monoid::Sum, sym("x")}, {"X", Monoid::Sum, exp(c - log(r))}});
  const auto corrections = polymend::derive(candidate(family));
  ASSERT_TRUE(corrections.ok());
  for (const Correction &k : *corrections) {
    ASSERT_EQ(k.singular.size(), 1U);
    EXPECT_FALSE(std::isfinite(evaluate<double>(k.singular[0], {{"r", -2.0}})));
    EXPECT_NE(evaluate<double>(k.singular[0], {{"r", 2.0}}), 0);
  }
}

TEST(Traps, PrecisionOfTheSourceIsKept) {
  Candidate asked = candidate(chain({{"m", Monoid::Max, sym("c")}, {"X", Monoid::Sum, exp(sym("c") - sym("m"))}}));
  asked.element =
      Expr::make(Op::Exp, Type::Float64, {Expr::cast(Type::Float64, sym("c")) - Expr::cast(Type::Float64, sym("m"))});
  const auto corrections = polymend::derive(asked);
  ASSERT_TRUE(corrections.ok());
  EXPECT_EQ(polymend::show(corrections->front().state[0]), "exp(double(c) - double(m))");
  EXPECT_EQ(corrections->front().state[0].type(), Type::Float64);
}

TEST(Traps, AProofForSumsIsNoneForMaxima) {
  const Family sums = chain({{"r", Monoid::Sum, sym("x")}, {"X", Monoid::Sum, sym("y") * sym("r")}});
  const auto corrections = polymend::derive(candidate(sums));
  ASSERT_TRUE(corrections.ok());
  Candidate maximum = candidate(sums);
  maximum.monoid = Monoid::Max;
  Correction moved = corrections->front();
  moved.carry = Monoid::Max;
  EXPECT_NE(polymend::prove(maximum, moved, {}).normalForm, "proved");
  EXPECT_EQ(polymend::prove(maximum, moved, {}).numeric, "refuted");
  EXPECT_NE(polymend::prove(maximum, corrections->front(), {}).normalForm, "proved");
  EXPECT_FALSE(polymend::derive(maximum).ok());
}

TEST(Traps, TheSameElementUnderAMaximumNeedsTheSign) {
  Candidate known = candidate(chain({{"r", Monoid::Sum, sym("x")}, {"X", Monoid::Max, sym("y") * sym("r")}}));
  EXPECT_FALSE(polymend::derive(known).ok());
  for (AlgebraSymbol &s : known.symbols)
    if (s.name == "r") s.signs = {false, false, true};
  const auto positive = polymend::derive(known);
  ASSERT_TRUE(positive.ok());
  EXPECT_EQ(positive->front().carry, Monoid::Max);
  for (AlgebraSymbol &s : known.symbols)
    if (s.name == "r") s.signs = {true, false, false};
  const auto negative = polymend::derive(known);
  ASSERT_TRUE(negative.ok());
  EXPECT_EQ(negative->front().carry, Monoid::Min);
  EXPECT_NE(polymend::prove(known, positive->front(), {}).normalForm, "proved");
}

TEST(Traps, AnOrderFactHoldsOnlyForTheSameElement) {
  const Family same = chain({{"m", Monoid::Max, sym("c")}, {"X", Monoid::Sum, abs(sym("c") - sym("m"))}});
  const Family other = chain({{"m", Monoid::Max, sym("x")}, {"X", Monoid::Sum, abs(sym("c") - sym("m"))}});
  const auto corrections = polymend::derive(candidate(same));
  ASSERT_TRUE(corrections.ok());
  EXPECT_FALSE(corrections->front().freePivot);
  const auto refused = polymend::derive(candidate(other));
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.refusal().reason, HasSubstr("abs(c - m)"));
  EXPECT_NE(polymend::prove(candidate(other), corrections->front(), {}).normalForm, "proved");
}

TEST(Traps, ACorrectionMustNotReadElementsInItsMendOrFinalisation) {
  const Family family = chain({{"r", Monoid::Sum, sym("x")}, {"X", Monoid::Sum, abs(sym("c") - sym("r"))}});
  Correction cheat;
  cheat.state = {num(1)};
  cheat.mend = {{num(1)}};
  cheat.final = abs(sym("c") - sym("r")) * sym("#0");
  EXPECT_EQ(polymend::prove(candidate(family), cheat, {}).normalForm, "refuted");
  cheat.state = {abs(sym("c") - sym("r"))};
  cheat.mend = {{abs(sym("c") - sym("r'")) / abs(sym("c") - sym("r"))}};
  cheat.final = sym("#0");
  EXPECT_EQ(polymend::prove(candidate(family), cheat, {}).normalForm, "refuted");
}

TEST(Traps, TheFinalisationOfASumMustBeLinear) {
  const Family family = chain({{"r", Monoid::Sum, sym("x")}, {"X", Monoid::Sum, sym("c") * sym("c")}});
  Correction cheat;
  cheat.state = {sym("c")};
  cheat.mend = {{num(1)}};
  cheat.final = sym("#0") * sym("#0");
  EXPECT_EQ(polymend::prove(candidate(family), cheat, {}).normalForm, "refuted");
}

/// sqrt(#0 #1) is linear by its degree; over one element it is p^2, over several it is not their sum.
TEST(Traps, RootsOfStatesAreNotLinear) {
  const Expr p = sym("p");
  const Family family = chain({{"r", Monoid::Sum, sym("x")}, {"X", Monoid::Sum, p * p}});
  Correction cheat;
  cheat.state = {p, p * p * p};
  cheat.mend = {{num(1), num(0)}, {num(0), num(1)}};
  cheat.final = sqrt(sym("#0")) * sqrt(sym("#1"));
  EXPECT_EQ(polymend::prove(candidate(family), cheat, {}).normalForm, "refuted");
}

/// The rolling update against the reductions as written, over a few rows.
void expectAsWritten(const Family &family, double slack) {
  const auto corrections = polymend::derive(candidate(family));
  ASSERT_TRUE(corrections.ok());
  const Rows rows = data(family, 9, 3);
  const auto [expected, scale] = direct<double>(family, rows);
  for (const Correction &c : *corrections)
    EXPECT_NEAR(rolling<double>(family, c, rows, {2, false}), expected, slack * scale) << polymend::show(c.final);
}

TEST(Traps, ConstantsBelowZeroKeepTheirSign) {
  const Expr c = sym("c"), m = sym("m"), v = sym("v");
  expectAsWritten(chain({{"m", Monoid::Max, c}, {"X", Monoid::Sum, exp(c - m - num(3)) * v}}), 1e-12);
  expectAsWritten(chain({{"m", Monoid::Max, c}, {"X", Monoid::Sum, (v - num(3)) * exp(c - m)}}), 1e-12);
}

/// 0.1 of a float, squared, has more digits than a float.
TEST(Traps, ConstantsThatNoNumberHoldsAreSums) {
  const Expr c = sym("c"), m = sym("m"), v = sym("v"), tenth = num(0.1);
  expectAsWritten(chain({{"m", Monoid::Max, c}, {"X", Monoid::Sum, exp(c - m) * (v * tenth * tenth + num(1))}}), 1e-15);
  expectAsWritten(chain({{"m", Monoid::Max, c}, {"X", Monoid::Sum, (c - m) * (tenth * tenth * v)}}), 1e-14);
}

/// r is below zero: its root is that of -r, also in what is printed.
TEST(Traps, RootsOfWhatIsBelowZeroKeepTheirSign) {
  const Expr p = sym("p"), r = sym("r"), v = sym("v");
  expectAsWritten(chain({{"r", Monoid::Max, -p}, {"X", Monoid::Sum, v * sqrt(-r)}}), 1e-12);
}

/// Three values of the producers beside an element: each part of them may be the pivot.
TEST(Traps, ThreeProducersBesideAnElement) {
  const Expr c = sym("c"), m = sym("m"), l = sym("l"), r = sym("r"), v = sym("v");
  expectAsWritten(chain({{"m", Monoid::Max, c},
                         {"l", Monoid::Sum, exp(c - m)},
                         {"r", Monoid::Max, abs(v)},
                         {"X", Monoid::Sum, exp(c - m - log(l) - r) * v}}),
                  1e-12);
}

/// (p r)^(3/4) splits where both are positive; the trial evaluates quarter roots.
TEST(Traps, QuarterRootsSplitOverPositiveFactors) {
  const Expr p = sym("p"), r = sym("r");
  const Family family = chain({{"r", Monoid::Max, p}, {"X", Monoid::Sum, of(Op::Pow, p * r, num(0.75)) * sym("v")}});
  const auto corrections = polymend::derive(candidate(family));
  ASSERT_TRUE(corrections.ok());
  EXPECT_EQ(polymend::prove(candidate(family), corrections->front(), {.z3 = false}).numeric, "agrees");
  expectAsWritten(family, 1e-12);
}

TEST(Traps, AnInfiniteScoreOutsideASelectIsRefused) {
  const Family family = chain({{"m", Monoid::Max, sym("c")}, {"X", Monoid::Sum, sym("c") * infinity()}});
  const auto refused = polymend::derive(candidate(family));
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.refusal().reason, HasSubstr("infinity"));
}

TEST(Traps, AnUnknownSymbolIsRefused) {
  Candidate asked;
  asked.element = sym("c") * sym("r");
  asked.symbols.resize(1);
  asked.symbols[0].name = "c";
  const auto refused = polymend::derive(asked);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.refusal().reason, HasSubstr("r has no role"));
  EXPECT_FALSE(polymend::derive({}).ok());
}

TEST(Traps, AnEnormousExpressionIsRefused) {
  Expr deep = sym("c") - sym("r");
  for (int i = 0; i < 40; ++i) deep = of(Op::Tanh, deep * deep);
  Candidate asked = candidate(chain({{"r", Monoid::Sum, sym("x")}, {"X", Monoid::Sum, sym("c") * sym("r")}}));
  ASSERT_TRUE(polymend::derive(asked).ok());
  asked.element = deep;
  const auto refused = polymend::derive(asked);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.refusal().reason, HasSubstr("too large"));
}

} // namespace
