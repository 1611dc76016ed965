// The rolling update computes what the reductions as written compute: every proved correction of every family, three
// tile sizes, float and double, random data; and the centred basis keeps its accuracy far from the origin.
#include "rolling.h"
#include "families.h"

#include <gtest/gtest.h>

using namespace notation;

namespace {

class RollingUpdate : public testing::TestWithParam<Family> {};

template <class T> void compare(const Family &family, double tolerance) {
  const auto corrections = polymend::derive(candidate(family));
  ASSERT_TRUE(corrections.ok()) << corrections.refusal().reason;
  for (const polymend::Correction &c : *corrections)
    for (const std::size_t tile : {1U, 3U, 8U})
      for (const unsigned seed : {1U, 2U, 3U}) {
        const Rows rows = data(family, family.reductions.back().monoid == Monoid::Product ? 11 : 29, seed);
        const auto [expected, scale] = direct<long double>(family, rows);
        const T got = rolling<T>(family, c, rows, {tile, false});
        EXPECT_NEAR(static_cast<double>(got), static_cast<double>(expected), tolerance * static_cast<double>(scale))
            << family.name << ", tile " << tile << ", final " << polymend::show(c.final);
      }
}

TEST_P(RollingUpdate, AgreesInDouble) { compare<double>(GetParam(), 1e-10); }
TEST_P(RollingUpdate, AgreesInFloat) { compare<float>(GetParam(), 2e-2); }

INSTANTIATE_TEST_SUITE_P(Families, RollingUpdate, testing::ValuesIn(familiesWithCorrection()), [](const auto &p) {
  std::string name = p.param.name;
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST(RollingUpdateFarFromTheOrigin, CentredStateAboutTheRunningMeanKeepsTheVariance) {
  const Expr c = sym("c"), mean = sym("S") / index("N");
  const Family family{"", {{"S", Monoid::Sum, c}, {"X", Monoid::Sum, (c - mean) * (c - mean)}}, 3, true};
  const auto corrections = polymend::derive(candidate(family));
  ASSERT_TRUE(corrections.ok());
  const Rows rows = data(family, 512, 7, 1e4);
  const auto expected = static_cast<double>(direct<long double>(family, rows).first);
  const auto error = [&](const polymend::Correction &k, bool surrogate) {
    return std::abs(static_cast<double>(rolling<float>(family, k, rows, {8, surrogate})) - expected) / expected;
  };
  ASSERT_TRUE(corrections->front().freePivot);
  EXPECT_LT(error(corrections->front(), true), 1e-3);
  polymend::Correction raw = corrections->front();
  raw.state = {c * c, c, num(1)};
  raw.mend = {{num(1), num(0), num(0)}, {num(0), num(1), num(0)}, {num(0), num(0), num(1)}};
  raw.final = sym("#0") - num(2) * mean * sym("#1") + mean * mean * sym("#2");
  raw.moves = false;
  EXPECT_GT(error(raw, false), 1e-3);
  const polymend::Proof proof = polymend::prove(candidate(family), raw, {});
  EXPECT_EQ(proof.normalForm, "proved");
  EXPECT_EQ(proof.conditioning, "refuted");
}

TEST(RollingUpdateOfLargeScores, NeverOverflows) {
  const Expr c = sym("c"), m = sym("m"), w = sym("w");
  const Family family{"", {{"m", Monoid::Max, c}, {"X", Monoid::Sum, exp(c - m) * w}}, 1, true};
  const auto corrections = polymend::derive(candidate(family));
  ASSERT_TRUE(corrections.ok());
  for (const double offset : {-3000.0, 3000.0}) {
    const Rows rows = data(family, 31, 5, offset);
    const auto [expected, scale] = direct<long double>(family, rows);
    for (const polymend::Correction &k : *corrections)
      EXPECT_NEAR(rolling<float>(family, k, rows, {1, false}), expected, 1e-3 * scale);
  }
}

} // namespace
