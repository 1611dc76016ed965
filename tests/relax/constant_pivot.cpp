// Where a constant serves for a running maximum, and where it may not: each refusal is one change away.
#include "../compilation.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;

namespace {

/// Weighted means of v with the weights exp(s - m), in these types; `extra` follows the sums of a row.
struct Rows {
  std::string score = "5.0f * std::tanh(x[i * n + j] / 5.0f)", type = "float", element = "float";
  std::string start = "-INFINITY", first = "0", weight = "std::exp(s[j] - m)", extra;
};

std::string sourceOf(const Rows &rows) {
  return "#include <cmath>\nvoid f(int n, " + rows.type + " cap, const " + rows.type + " *x, const " + rows.element +
         " *v, " + rows.type + " *y, " + rows.type + " *z) {\n  for (int i = 0; i < n; i++) {\n    " + rows.type +
         " s[4096];\n    for (int j = 0; j < n; j++) s[j] = " + rows.score + ";\n    " + rows.type +
         " m = " + rows.start + ";\n    for (int j = 0; j < n; j++) m = std::fmax(m, s[j]);\n    " + rows.type +
         " l = 0;\n    for (int j = " + rows.first + "; j < n; j++) l += std::exp(s[j] - m);\n    " + rows.type +
         " o = 0;\n    for (int j = 0; j < n; j++) o += " + rows.type + "(" + rows.weight + ") * " + rows.type +
         "(v[j]);\n    y[i] = o / l;\n" + rows.extra + "  }\n}\n";
}

std::vector<ConstantPivot> constantPivotsIn(const Rows &rows) {
  const Analysed t = analyse(sourceOf(rows));
  EXPECT_EQ(t.relaxed().mended.size(), 2U) << sourceOf(rows);
  return t.relaxed().constantPivots;
}

void expectRefused(const Rows &rows) { EXPECT_TRUE(constantPivotsIn(rows).empty()) << sourceOf(rows); }

} // namespace

TEST(ConstantPivot, StandsForTheMaximumOfBoundedScores) {
  const std::vector<ConstantPivot> found = constantPivotsIn({});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].value, 0);
  EXPECT_NEAR(found[0].range.high, 5, 1e-3);
  EXPECT_NEAR(found[0].range.low, -5, 1e-3);
  EXPECT_EQ(found[0].mended.size(), 2U);
  EXPECT_FALSE(found[0].used) << "the schedule decides";
}

TEST(ConstantPivot, IsTheMiddleOfARangeThatDoesNotLieAroundZero) {
  Rows rows;
  rows.score = "std::fmin(std::fmax(x[i * n + j], 60.0f), 80.0f)";
  const std::vector<ConstantPivot> found = constantPivotsIn(rows);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].value, 70, 1e-3);
}

TEST(ConstantPivot, NeedsBoundsThatLeaveRoom) {
  for (const char *score : {"x[i * n + j]", "cap * std::tanh(x[i * n + j] / cap)", "100.0f * std::tanh(x[i * n + j])",
                            "std::fmin(x[i * n + j], 50.0f)", "std::tanh(x[i * n + j]) / cap",
                            "j < i ? std::tanh(x[i * n + j]) : -INFINITY"}) {
    Rows rows;
    rows.score = score;
    if (rows.score.find("INFINITY") == std::string::npos) {
      expectRefused(rows);
      continue;
    }
    const Analysed t = analyse(sourceOf(rows));
    for (const ConstantPivot &pivot : t.relaxed().constantPivots) EXPECT_TRUE(pivot.range.isBounded());
  }
}

TEST(ConstantPivot, FollowsTheRangeOfTheType) {
  Rows wide;
  wide.type = wide.element = "double";
  wide.score = "400.0 * std::tanh(x[i * n + j])";
  EXPECT_EQ(constantPivotsIn(wide).size(), 1U);
  wide.score = "700.0 * std::tanh(x[i * n + j])";
  expectRefused(wide);
  Rows brain;
  brain.element = "__bf16";
  brain.weight = "static_cast<__bf16>(std::exp(s[j] - m))";
  brain.score = "50.0f * std::tanh(x[i * n + j])";
  EXPECT_EQ(constantPivotsIn(brain).size(), 1U);
  Rows half = brain;
  half.element = "_Float16";
  half.weight = "static_cast<_Float16>(std::exp(s[j] - m))";
  expectRefused(half);
  half.weight = "std::exp(s[j] - m)"; // may be rounded to the type of the other factor
  expectRefused(half);
  half.score = "9.0f * std::tanh(x[i * n + j])";
  EXPECT_EQ(constantPivotsIn(half).size(), 1U);
}

TEST(ConstantPivot, IsRefusedWhereTheMaximumIsReadOtherwise) {
  Rows rows;
  rows.extra = "    z[i] = m + std::log(l);\n";
  expectRefused(rows);
}

TEST(ConstantPivot, IsRefusedWhereAnOutputKnowsThePivot) {
  Rows rows;
  rows.extra = "    z[i] = o;\n";
  expectRefused(rows);
  rows.extra = "    z[i] = l * 0.5f;\n";
  expectRefused(rows);
  rows.extra = "    z[i] = 3.0f * o / l;\n";
  EXPECT_EQ(constantPivotsIn(rows).size(), 1U);
}

TEST(ConstantPivot, NeedsASumOverTheSameElements) {
  Rows rows;
  rows.first = "1";
  EXPECT_TRUE(analyse(sourceOf(rows)).relaxed().constantPivots.empty());
}

TEST(ConstantPivot, NeedsAMaximumThatIsOneOfTheElements) {
  Rows rows;
  rows.start = "0.0f";
  expectRefused(rows);
  rows.start = "-1.0e30f";
  EXPECT_EQ(constantPivotsIn(rows).size(), 1U);
}

TEST(ConstantPivot, IsThatOfItsOwnCorrectionsOnceItIsUsed) {
  Relaxed relaxed;
  ConstantPivot pivot;
  pivot.mended = {1};
  relaxed.constantPivots = {pivot};
  EXPECT_EQ(constantPivotOfConsumer(relaxed, 1), nullptr);
  relaxed.constantPivots[0].used = true;
  EXPECT_EQ(constantPivotOfConsumer(relaxed, 1), relaxed.constantPivots.data());
  EXPECT_EQ(constantPivotOfConsumer(relaxed, 0), nullptr);
}

TEST(ConstantPivot, IsUsedWhereAllRunsTogether) {
  const Analysed t = analyse(sourceOf({}));
  const Relaxed after = settled(t.relaxed(), t.plan());
  ASSERT_EQ(after.constantPivots.size(), 1U);
  EXPECT_TRUE(after.constantPivots[0].used);
  for (const Mended &m : after.mended) {
    EXPECT_FALSE(m.correction.moves);
    EXPECT_TRUE(m.correction.pivots.empty());
    for (const Expr &state : m.correction.state) EXPECT_EQ(symbols(state).count("m"), 0U) << show(state);
  }
}
