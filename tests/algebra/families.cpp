// Every family with a correction gets one of the expected rank, proved three times; every other one is refused with the
// blocking term in the names of the candidate.
#include "families.h"

#include <gmock/gmock.h>

using namespace notation;
using testing::HasSubstr;

namespace {

class WithCorrection : public testing::TestWithParam<Family> {};

TEST_P(WithCorrection, IsDerivedAndProved) {
  const Family &family = GetParam();
  const auto corrections = polymend::derive(candidate(family));
  ASSERT_TRUE(corrections.ok()) << corrections.refusal().reason;
  const polymend::Correction &best = corrections->front();
  EXPECT_EQ(static_cast<int>(best.state.size()), family.rank);
  EXPECT_EQ(best.moves, family.moves);
  EXPECT_EQ(best.pivots.empty(), !family.moves);
  for (const polymend::Correction &c : *corrections) {
    EXPECT_EQ(c.proof.normalForm, "proved");
    EXPECT_EQ(c.proof.numeric, "agrees");
    EXPECT_NE(c.proof.z3, "refuted");
    const polymend::Proof again = polymend::prove(candidate(family), c, {});
    EXPECT_EQ(again.normalForm, "proved");
    EXPECT_EQ(again.numeric, "agrees");
    EXPECT_NE(again.z3, "refuted");
    EXPECT_NE(c.proof.conditioning, "unknown");
    EXPECT_EQ(again.conditioning, c.proof.conditioning);
  }
}

TEST_P(WithCorrection, StateHoldsNoBareExponential) {
  const auto corrections = polymend::derive(candidate(GetParam()));
  ASSERT_TRUE(corrections.ok());
  for (const Expr &e : corrections->front().state) EXPECT_THAT(polymend::show(e), testing::Not(HasSubstr("exp(c)")));
}

class WithoutCorrection : public testing::TestWithParam<Refused> {};

TEST_P(WithoutCorrection, IsRefusedByName) {
  const auto corrections = polymend::derive(candidate(GetParam().family));
  ASSERT_FALSE(corrections.ok());
  for (const std::string &part : GetParam().says) EXPECT_THAT(corrections.refusal().reason, HasSubstr(part));
}

std::string identifier(std::string name) {
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Families, WithCorrection, testing::ValuesIn(familiesWithCorrection()),
                         [](const auto &p) { return identifier(p.param.name); });
INSTANTIATE_TEST_SUITE_P(Families, WithoutCorrection, testing::ValuesIn(familiesWithout()),
                         [](const auto &p) { return identifier(p.param.family.name); });

} // namespace
