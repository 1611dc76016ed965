// What is derived does not follow from where terms lie in memory, nor from how busy the machine is.
#include "algebra/terms.h"

#include "notation.h"

#include <gtest/gtest.h>

#include <random>

using namespace notation;

namespace {

/// Makes terms that are allocated next lie in no order: frees blocks of their size in a random one.
void scatter(unsigned seed) {
  constexpr std::size_t count = 4000;
  std::vector<std::unique_ptr<polymend::algebra::TermNode>> freed, kept;
  for (std::size_t k = 0; k < count; ++k)
    (k % 2 ? kept : freed).push_back(std::make_unique<polymend::algebra::TermNode>());
  std::shuffle(freed.begin(), freed.end(), std::mt19937(seed));
  while (!freed.empty()) freed.pop_back();
}

/// Three divisors, each of which is tested at the end.
Family threeDivisors() {
  const Expr c = sym("c"), m = sym("m");
  return {"",
          {{"m", Monoid::Max, c},
           {"l", Monoid::Sum, exp(c - m)},
           {"k", Monoid::Sum, exp(c - m) * sym("v")},
           {"h", Monoid::Sum, exp(c - m) * sym("w")},
           {"X", Monoid::Sum, exp(c - m) / sym("l") * sym("v") / sym("k") * sym("w") / sym("h")}},
          1,
          true};
}

TEST(Memory, DivisorsAreTestedInTheOrderOfTheSource) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    scatter(seed);
    const auto corrections = polymend::derive(candidate(threeDivisors()));
    ASSERT_TRUE(corrections.ok());
    std::string tested;
    for (const Expr &divisor : corrections->front().singular) tested += polymend::show(divisor) + " ";
    EXPECT_EQ(tested, "l k h ");
  }
}

} // namespace
