// Masks written as a choice become domains where what they leave out is neutral, and stay a choice where it is not.
#include "../compilation.h"

#include <isl/set.h>

using namespace polymend;
using namespace polymend::tests;

namespace {

/// Rows of scores, masked by `mask` with `score` elsewhere, then `rest` over p[j] and m.
Analysed masked(const std::string &mask, const std::string &otherwise, const std::string &rest,
                const std::string &start = "-INFINITY", const std::string &larger = "std::fmax(m, p[j])") {
  return analyse("#include <cmath>\nvoid f(int n, const float s[300][300], const float v[300], float *y) {\n"
                 "  for (int i = 0; i < n; i++) {\n    float p[300], m = " +
                 start +
                 ", l = 0;\n"
                 "    for (int j = 0; j < n; j++) p[j] = " +
                 mask + " ? s[i][j] : " + otherwise +
                 ";\n"
                 "    for (int j = 0; j < n; j++) m = " +
                 larger + ";\n    for (int j = 0; j < n; j++) " + rest + "\n    y[i] = l;\n  } }\n");
}

isl::set domainOf(const Analysed &t, const std::string &array) {
  const int at = t.equation(array, true);
  EXPECT_GE(at, 0);
  return isl::manage(isl_set_reset_tuple_id(t.system().equations[static_cast<std::size_t>(at)].domain.copy()));
}

bool chooses(const Analysed &t, const std::string &array) {
  bool found = false;
  visit(t.system().equations[static_cast<std::size_t>(t.equation(array, true))].value,
        [&](const Expr &node) { found = found || node.op() == Op::Select; });
  return found;
}

const char *const causal = "[n] -> { [i, j] : 0 <= j <= i < n }";
const char *const whole = "[n] -> { [i, j] : 0 <= i < n and 0 <= j < n }";

} // namespace

TEST(Mask, BecomesTheDomainOfAMaximumAndASum) {
  const auto t = masked("j <= i", "-INFINITY", "l += std::exp(p[j] - m);");
  EXPECT_TRUE(domainOf(t, "m").is_equal(setOf(t, causal)));
  EXPECT_TRUE(domainOf(t, "l").is_equal(setOf(t, causal)));
  EXPECT_FALSE(chooses(t, "m") || chooses(t, "l"));
  EXPECT_TRUE(t.relaxed().assumptions.empty());
  EXPECT_EQ(t.relaxed().mended.size(), 1U);
}

/// fmax ignores what is no number; a comparison may take it.
TEST(Mask, WhatIsNoNumberIsLeftOutOfFmaxAlone) {
  const auto ignored = masked("j <= i", "NAN", "l += s[i][j] * m;");
  EXPECT_TRUE(domainOf(ignored, "m").is_equal(setOf(ignored, causal)));
  const auto compared = masked("j <= i", "NAN", "l += s[i][j] * m;", "-INFINITY", "m < p[j] ? p[j] : m");
  EXPECT_TRUE(domainOf(compared, "m").is_equal(setOf(compared, whole)));
  const auto goesOn = masked("j <= i", "NAN", "l += s[i][j] * m;", "-INFINITY", "m > p[j] ? m : p[j]");
  EXPECT_FALSE(goesOn.relaxed().system) << "the order decides what comes after a NaN";
}

TEST(Mask, AssumesThatWhatWeighsNothingIsFinite) {
  const auto t = masked("j <= i", "-INFINITY", "l += std::exp(p[j] - m) * v[j];");
  EXPECT_TRUE(domainOf(t, "l").is_equal(setOf(t, causal)));
  ASSERT_EQ(t.relaxed().assumptions.size(), 1U);
  EXPECT_NE(t.relaxed().assumptions[0].find("v is finite where a mask gives weight 0"), std::string::npos);
}

TEST(Mask, MayBeAnyAffineCondition) {
  const auto stride = masked("(i - j) % 4 == 0 && j <= i", "-INFINITY", "l += std::exp(p[j] - m);");
  EXPECT_TRUE(
      domainOf(stride, "l").is_equal(setOf(stride, "[n] -> { [i, j] : 0 <= j <= i < n and (i - j) mod 4 = 0 }")));
  const auto block = masked("j / 64 <= i / 64", "-INFINITY", "l += std::exp(p[j] - m);");
  EXPECT_TRUE(
      domainOf(block, "l")
          .is_equal(setOf(block, "[n] -> { [i, j] : 0 <= i < n and 0 <= j < n and floor(j / 64) <= floor(i / 64) }")));
}

TEST(Mask, StaysWhereARowHasNothingElse) {
  const auto t = masked("j < i", "-INFINITY", "l += std::exp(p[j] - m);");
  EXPECT_TRUE(domainOf(t, "m").is_equal(setOf(t, "[n] -> { [i, j] : 0 <= j < i < n }")));
  EXPECT_TRUE(domainOf(t, "l").is_equal(setOf(t, "[n] -> { [i, j] : 0 <= j < i < n; [0, j] : 0 <= j < n }")))
      << "row 0 is exp(-inf + inf), no empty sum";
  EXPECT_TRUE(chooses(t, "l"));
}

TEST(Mask, NeedNotLeaveARowAnythingUnderAFiniteMaximum) {
  const auto t = masked("j < i", "-INFINITY", "l += std::exp(p[j] - m);", "0.0f");
  EXPECT_TRUE(domainOf(t, "l").is_equal(setOf(t, "[n] -> { [i, j] : 0 <= j < i < n }")));
}

TEST(Mask, IsSeenThroughADivisionByASumThatIsNotZero) {
  const auto divided = [](const char *start, const char *weight) {
    return analyse(
        std::string("#include <cmath>\nvoid f(int n, const float s[300][300], const float v[300], float *y) {\n"
                    "  for (int i = 0; i < n; i++) {\n    float p[300], m = ") +
        start +
        ", l = 0, o = 0;\n    for (int j = 0; j < n; j++) p[j] = j <= i ? s[i][j] : -INFINITY;\n"
        "    for (int j = 0; j < n; j++) m = std::fmax(m, p[j]);\n"
        "    for (int j = 0; j < n; j++) l += " +
        weight +
        ";\n"
        "    for (int j = 0; j < n; j++) o += " +
        weight + " / l * v[j];\n    y[i] = o;\n  } }\n");
  };
  const auto attained = divided("-INFINITY", "std::exp(p[j] - m)");
  EXPECT_TRUE(domainOf(attained, "o").is_equal(setOf(attained, causal)));
  const auto started = divided("0.0f", "std::exp(p[j] - m)");
  EXPECT_TRUE(domainOf(started, "o").is_equal(setOf(started, whole))) << "every weight may underflow to 0";
}

TEST(Mask, StaysWhereItsValueIsNotNeutral) {
  const auto zero = masked("j <= i", "0.0f", "l += std::exp(p[j] - m);");
  EXPECT_TRUE(domainOf(zero, "m").is_equal(setOf(zero, whole)));
  const auto sentinel = masked("j <= i", "-1e30f", "l += std::exp(p[j] - m);");
  EXPECT_TRUE(domainOf(sentinel, "l").is_equal(setOf(sentinel, whole))) << "a row of scores below it counts it";
  const auto linear = masked("j <= i", "-INFINITY", "l += p[j] - m;");
  EXPECT_TRUE(domainOf(linear, "l").is_equal(setOf(linear, whole)));
}

TEST(Mask, MayLieOnEitherSideAndInWeights) {
  const auto flipped = analyse(R"(void f(int n, const float x[300], float *y) {
    for (int i = 0; i < n; i++) {
      float l = 0;
      for (int j = 0; j < n; j++) l += j > i ? 0.0f : x[j];
      y[i] = l;
    } })");
  EXPECT_TRUE(domainOf(flipped, "l").is_equal(setOf(flipped, causal)));
  EXPECT_TRUE(flipped.relaxed().assumptions.empty());
}

TEST(Mask, LeavesNothingToComputeForWhatItHides) {
  const auto t = analyse(textOf("inputs/prefill_masked.cpp"));
  EXPECT_TRUE(domainOf(t, "dot").is_subset(
      setOf(t, "[batch, n] -> { [b, h, i, j, d] : j <= i and 0 <= i < n and 0 <= j < n }")));
  EXPECT_EQ(t.relaxed().mended.size(), 2U);
}
