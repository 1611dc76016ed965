// What decides inside the room, asked directly: each test holds a law that a correction rests on and that whole
// derivations come by only rarely.
#include "algebra/draft.h"
#include "algebra/obligations.h"

#include "notation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace notation;
using namespace polymend::algebra;

namespace {

const Expr a = sym("a"), b = sym("b"), c = sym("c"), r = sym("r"), x = sym("x");

AlgebraSymbol element(const std::string &name, const polymend::Signs &signs = {}) {
  AlgebraSymbol result;
  result.name = name;
  result.signs = signs;
  return result;
}

AlgebraSymbol producer(const std::string &name, Monoid monoid, const Expr &reduced, const polymend::Signs &signs = {}) {
  AlgebraSymbol result{name, AlgebraSymbol::Role::Producer, signs, monoid, reduced, false};
  return result;
}

std::unique_ptr<Problem> posed(const Expr &value, const std::vector<AlgebraSymbol> &symbols, bool ordered = false) {
  auto result = pose({Monoid::Sum, value, symbols}, ordered);
  EXPECT_TRUE(result.ok());
  return std::move(*result);
}

TEST(Forms, AMaskStaysAConditionOnItsWayBack) {
  const Expr test = less(a, b);
  const auto problem = posed(select(test, x, -infinity()), {element("a"), element("b"), element("x")});
  const Form form = problem->forms.of(problem->element);
  EXPECT_EQ(problem->forms.of(problem->forms.toTerm(form)), form);
  EXPECT_EQ(problem->forms.toTerm(form)->args[0]->op, problem->element->args[0]->op);
}

TEST(States, HoldWhatOneFactorMoves) {
  const AlgebraSymbol most = producer("r", Monoid::Max, of(Op::FMax, c, x));
  const auto stateOf = [&](const Expr &value) {
    const auto found = polymend::derive({Monoid::Sum, value, {most, element("c"), element("x")}});
    EXPECT_TRUE(found.ok()) << found.refusal().reason;
    std::vector<std::string> parts;
    if (!found) return parts;
    for (const Expr &part : found->front().state) parts.push_back(polymend::show(part));
    return parts;
  };
  EXPECT_THAT(stateOf(exp(c - r) * x - c), testing::UnorderedElementsAre("c", "x * exp(c - r)"));
  EXPECT_THAT(stateOf(exp(c - r) + exp(x - r)), testing::SizeIs(1)) << "one factor moves both";
}

TEST(Forms, AFactorOfEveryTermHasTheLowestPowerOfAll) {
  const auto problem = posed(a * a * b + a * a * a, {element("a"), element("b")});
  Forms &forms = problem->forms;
  const Form inverse = forms.power(forms.of(problem->element), -1);
  ASSERT_EQ(inverse.terms.size(), 1U);
  EXPECT_EQ(inverse.terms.begin()->first.powers.at(forms.symbolAtom(problem->terms.find("a"))), -2);
}

TEST(Identical, DividesASumOfProductsByAPower) {
  const Expr square = (a + b) * (a + b);
  EXPECT_TRUE(polymend::identical((a * x + b * x) / square, x / (a + b), {}));
  EXPECT_FALSE(polymend::identical((a * x + b * x) / square, x, {}));
}

TEST(Terms, EndsWhereThereAreTooMany) {
  Terms terms;
  EXPECT_THROW(
      {
        for (int i = 0; i < 210000; ++i) terms.number(i);
      },
      Overgrown);
}

TEST(Monotone, AnEvenPowerOfWhatIsNegativeFalls) {
  const auto problem = posed(c, {element("c", {true, false, false}), element("a")});
  Terms &terms = problem->terms;
  const Term negative = terms.find("c"), any = terms.find("a");
  EXPECT_EQ(monotone(*problem, terms.power(negative, 2), negative), -1);
  EXPECT_EQ(monotone(*problem, terms.power(negative, 3), negative), 1);
  EXPECT_EQ(monotone(*problem, terms.power(any, 2), any), std::nullopt);
}

TEST(Pivots, AQuotientHasOneFactorOfEachSide) {
  const auto ratios = [](const Expr &value) {
    const auto problem = posed(value, {producer("r", Monoid::Max, c), element("c")});
    const std::vector<Pivot> found = pivotsOf(*problem, problem->element);
    return std::count_if(found.begin(), found.end(), [](const Pivot &p) { return p.ratio; });
  };
  EXPECT_EQ(ratios(sqrt(c / r)), 1);
  EXPECT_EQ(ratios(sqrt(r * c * (c + r))), 0);
}

TEST(Judge, OnlyAnExtremeOrdersWhatIsUnderAnExponential) {
  const auto unordered = [](Monoid monoid) {
    const auto problem = posed(exp(c - r), {producer("r", monoid, c), element("c")});
    Draft draft;
    judge(*problem, draft, problem->element, pivotsOf(*problem, problem->element));
    return draft.unordered;
  };
  EXPECT_EQ(unordered(Monoid::Max), 0);
  EXPECT_EQ(unordered(Monoid::Min), 0);
  EXPECT_EQ(unordered(Monoid::Sum), 1);
}

TEST(Product, WithoutAProducerThereIsNothingToMend) {
  const auto problem = posed(c, {producer("r", Monoid::Max, c), element("c")});
  EXPECT_FALSE(deriveProduct(*problem, problem->element, true).draft);
  EXPECT_TRUE(deriveProduct(*problem, problem->element, false).draft);
}

/// At points where r is the maximum of what is never positive, |r| is -r.
TEST(Evaluation, AnExtremeKeepsItsSign) {
  const polymend::Signs below{true, true, false};
  const auto problem = posed(c, {producer("r", Monoid::Max, c, below), element("c", below)}, true);
  Importer importer(problem->terms);
  EXPECT_EQ(byEvaluation(*problem, {{{importer.import(abs(r)), importer.import(-r)}}}), Opinion::Agrees);
  EXPECT_EQ(byEvaluation(*problem, {{{importer.import(abs(r)), importer.import(r)}}}), Opinion::Refuted);
}

/// A correction that takes r for |r| is right where r is as it was declared, and is tried there alone.
TEST(Trial, ProducersHaveTheSignsThatAreDeclared) {
  polymend::Correction correction;
  correction.state = {c};
  correction.mend = {{num(1)}};
  correction.final = r * sym("#0");
  const auto opinion = [&](const polymend::Signs &signs) {
    return byTrial({Monoid::Sum, abs(r) * c, {producer("r", Monoid::Sum, x, signs), element("x"), element("c")}},
                   correction);
  };
  EXPECT_EQ(opinion({false, true, true}), Opinion::Agrees);
  EXPECT_EQ(opinion({}), Opinion::Refuted);
}

/// Where r is zero on the way, x * r / r is no number: a sum shows it, an extreme passes over it.
TEST(Cancelled, AnExtremePassesOverAProducerThatMakesNoNumber) {
  const auto refusal = [](Monoid monoid) -> std::string {
    const auto found = polymend::derive({monoid, x * r / r, {producer("r", Monoid::Sum, c), element("x")}});
    return found ? "" : found.refusal().reason;
  };
  EXPECT_EQ(refusal(Monoid::Sum), "");
  EXPECT_THAT(refusal(Monoid::Max), testing::HasSubstr("r cancels"));
  EXPECT_THAT(refusal(Monoid::Min), testing::HasSubstr("r cancels"));
}

/// The running maximum of what is divided by a running mean may lie above its last value: exponentials about it vanish.
TEST(Conditions, AnExtremeThatIsMendedItselfGoesBothWays) {
  const auto refusal = [](bool isMended) -> std::string {
    AlgebraSymbol most = producer("r", Monoid::Max, of(Op::FMax, c, x));
    most.mended = isMended;
    const auto found = polymend::derive({Monoid::Sum, exp(c - r), {most, element("c"), element("x")}});
    return found ? "" : found.refusal().reason;
  };
  EXPECT_EQ(refusal(false), "");
  EXPECT_THAT(refusal(true), testing::HasSubstr("may vanish at an earlier r"));
}

/// e^(b - r) is e^b times e^-r where that vanishes no earlier than it: b is small, or r is bounded, too.
TEST(Conditions, ABoundedExponentIsTakenApartWhereTheOtherPartIsNotFarBelow) {
  const auto derived = [](const Expr &exponent) {
    return polymend::derive({Monoid::Sum, exp(exponent), {producer("r", Monoid::Sum, x), element("x")}});
  };
  const Expr tanh = of(Op::Tanh, x);
  const auto slight = derived(tanh - r), large = derived(num(40) * tanh - r);
  ASSERT_TRUE(slight.ok()) << slight.refusal().reason;
  EXPECT_EQ(polymend::symbols(slight->front().state[0]), std::set<std::string>{"x"});
  ASSERT_FALSE(large.ok());
  EXPECT_THAT(large.refusal().reason, testing::HasSubstr("may vanish at an earlier r"));
}

TEST(Shares, NothingHoldsTheLargestOfAProducerThatIsNotThere) {
  polymend::Correction correction;
  correction.state = {exp(c - r)};
  EXPECT_FALSE(polymend::holdsItsLargest({Monoid::Sum, exp(c - r), {}}, correction, "r"));
}

/// Where elements are near each other's opposite, a square of their sum that is multiplied out has no digit left.
TEST(Trial, FindsWhatCancelsBetweenOpposites) {
  for (const Expr &sum : {a + b, a - b}) {
    const auto found = polymend::derive(
        {Monoid::Sum, sum * sum / r, {producer("r", Monoid::Sum, abs(a)), element("a"), element("b")}});
    ASSERT_FALSE(found.ok()) << polymend::show(sum);
    EXPECT_THAT(found.refusal().reason, testing::HasSubstr("loses digits"));
  }
}

} // namespace
