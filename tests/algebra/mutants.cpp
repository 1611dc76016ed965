// Wrong corrections are never proved and always refuted by evaluation: each entry of the mend negated, doubled,
// dropped, set to the identity or with r and r' exchanged, each state element and finalisation spoilt in turn.
#include "families.h"

#include <gtest/gtest.h>

using namespace notation;
using polymend::Correction;

namespace {

Expr exchanged(const Expr &e, const Candidate &c) {
  return polymend::substitute(e, [&](const std::string &name) {
    for (const AlgebraSymbol &s : c.symbols) {
      if (s.role != AlgebraSymbol::Role::Producer) continue;
      if (name == s.name) return sym(name + "'");
      if (name == s.name + "'") return sym(s.name);
    }
    return Expr();
  });
}

std::vector<Correction> mutants(const Candidate &candidate, const Correction &right) {
  std::vector<Correction> result;
  auto with = [&](auto change) {
    Correction mutant = right;
    change(mutant);
    result.push_back(mutant);
  };
  for (std::size_t i = 0; i < right.mend.size(); ++i)
    for (std::size_t j = 0; j < right.mend.size(); ++j) {
      const Expr a = right.mend[i][j];
      for (const Expr &wrong : {-a, num(2) * a, num(0), num(i == j ? 1 : 0), exchanged(a, candidate)})
        if (!polymend::identical(a, wrong, candidate.symbols)) with([&](Correction &m) { m.mend[i][j] = wrong; });
    }
  for (const Expr &wrong : {-right.final, num(3) * right.final})
    if (!polymend::identical(right.final, wrong, candidate.symbols)) with([&](Correction &m) { m.final = wrong; });
  for (std::size_t i = 0; i < right.state.size(); ++i) {
    const std::string name = "#" + std::to_string(i);
    const Expr without =
        polymend::substitute(right.final, [&](const std::string &s) { return s == name ? num(0) : Expr(); });
    if (!polymend::identical(right.final, without, candidate.symbols)) with([&](Correction &m) { m.final = without; });
  }
  return result;
}

class Mutants : public testing::TestWithParam<Family> {};

TEST_P(Mutants, AreNotProvedAndAreRefuted) {
  const Candidate asked = candidate(GetParam());
  const auto corrections = polymend::derive(asked);
  ASSERT_TRUE(corrections.ok());
  int count = 0;
  for (const Correction &right : *corrections)
    for (const Correction &wrong : mutants(asked, right)) {
      ++count;
      const polymend::Proof proof = polymend::prove(asked, wrong, {.z3 = false});
      EXPECT_NE(proof.normalForm, "proved") << polymend::show(wrong.final);
      EXPECT_EQ(proof.numeric, "refuted") << polymend::show(wrong.final);
    }
  EXPECT_GT(count + (GetParam().name == "excess over the maximum"), 0);
}

INSTANTIATE_TEST_SUITE_P(Families, Mutants, testing::ValuesIn(familiesWithCorrection()), [](const auto &p) {
  std::string name = p.param.name;
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST(SolverOnMutants, RefutesAWrongSignInTheExponent) {
  const Expr c = sym("c"), m = sym("m"), w = sym("w");
  const Family family{"", {{"m", Monoid::Max, c}, {"X", Monoid::Sum, exp(c - m) * w}}, 1, true};
  auto corrections = polymend::derive(candidate(family));
  ASSERT_TRUE(corrections.ok());
  Correction wrong = corrections->front();
  wrong.mend[0][0] = exp(sym("m'") - m);
  EXPECT_EQ(polymend::prove(candidate(family), wrong, {}).z3, "refuted");
}

} // namespace
