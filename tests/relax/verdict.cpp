// Which corrections are found in the inputs that are handed out, what is refused, and facts that may not be assumed.
#include "../compilation.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

struct Expected {
  const char *input;
  std::size_t mended;
};

class Inputs : public testing::TestWithParam<Expected> {};

std::string refusalOf(const Analysed &t) {
  for (const EdgeVerdict &verdict : t.relaxed().verdicts)
    if (verdict.verdict == Verdict::Refused) return verdict.reason;
  return "";
}

std::string rowOf(const std::string &loops) {
  return "#include <cmath>\nvoid f(int n, int m, int shift, const double *x, const double *start, double *y) {\n"
         "  for (int i = 0; i < n; i++) {\n" +
         loops + "  }\n}\n";
}

} // namespace

TEST_P(Inputs, HoldTheCorrections) {
  const auto t = analyse(textOf(std::string("inputs/") + GetParam().input + ".cpp"));
  EXPECT_EQ(t.relaxed().mended.size(), GetParam().mended);
  std::size_t corrected = 0;
  for (const EdgeVerdict &verdict : t.relaxed().verdicts) corrected += verdict.verdict == Verdict::Corrected;
  EXPECT_GE(corrected, GetParam().mended) << "each correction stands on an edge";
  for (const Mended &m : t.relaxed().mended) EXPECT_EQ(m.correction.proof.normalForm, "proved");
}

INSTANTIATE_TEST_SUITE_P(Relax, Inputs,
                         testing::Values(Expected{"attention_causal", 2}, Expected{"attention_flat", 2},
                                         Expected{"attention_renamed", 2}, Expected{"attention_window", 2},
                                         Expected{"log_sum_exp", 1}, Expected{"matmul", 0}, Expected{"norm2_stable", 1},
                                         Expected{"refused_sigmoid", 0}, Expected{"rmsnorm_matmul", 1},
                                         Expected{"seidel2d", 0}, Expected{"variance", 1}),
                         [](const auto &info) { return std::string(info.param.input); });

TEST(Verdict, NamesTheTermThatHasNoRank) {
  const auto t = analyse(textOf("inputs/refused_sigmoid.cpp"));
  EXPECT_NE(refusalOf(t).find("no finite rank"), std::string::npos) << refusalOf(t);
}

TEST(Verdict, KeepsEverythingWhenAsked) {
  const auto t = analyse(textOf("inputs/log_sum_exp.cpp"), {RelaxMode::None, {}});
  EXPECT_TRUE(t.relaxed().mended.empty());
  for (const EdgeVerdict &verdict : t.relaxed().verdicts) EXPECT_EQ(verdict.verdict, Verdict::Kept);
}

TEST(Verdict, DoesNotTakeASizeThatMayBeNegativeForPositive) {
  const auto t = analyse(
      rowOf("double a = -INFINITY, b = -INFINITY;\n"
            "for (int j = 0; j < m; j++) a = std::fmax(a, x[i * m + j]);\n"
            "for (int j = 0; j < m; j++) if (j > shift) b = std::fmax(b, (x[i * m + j] - a) * shift);\n y[i] = b;\n"));
  EXPECT_TRUE(t.relaxed().mended.empty());
  const auto positive = analyse(
      rowOf("double a = -INFINITY, b = -INFINITY;\n"
            "for (int j = 0; j < m; j++) a = std::fmax(a, x[i * m + j]);\n"
            "for (int j = 0; j < m; j++) if (j < shift) b = std::fmax(b, (x[i * m + j] - a) * shift);\n y[i] = b;\n"));
  EXPECT_EQ(positive.relaxed().mended.size(), 1U) << "0 <= j < shift";
}

TEST(Verdict, TakesNoSignFromASumThatStartsAnywhere) {
  const std::string loops = "double b = -INFINITY;\nfor (int j = 0; j < m; j++) a += x[i * m + j] * x[i * m + j];\n"
                            "for (int j = 0; j < m; j++) b = std::fmax(b, x[i * m + j] * a);\n y[i] = b;\n";
  EXPECT_TRUE(analyse(rowOf("double a = start[i];\n" + loops)).relaxed().mended.empty());
  EXPECT_TRUE(analyse(rowOf("double a = -7;\n" + loops)).relaxed().mended.empty());
  EXPECT_EQ(analyse(rowOf("double a = 0;\n" + loops)).relaxed().mended.size(), 1U);
}

TEST(Verdict, TakesNoOrderFromAMaximumOfOtherElements) {
  const auto sumOf = [](const char *limit) {
    return rowOf("double a = -INFINITY, b = 0;\nfor (int j = 0; j < " + std::string(limit) +
                 "; j++) a = std::fmax(a, x[i * m + j]);\n"
                 "for (int j = 0; j < m; j++) b += std::fabs(x[i * m + j] - a);\n y[i] = b;\n");
  };
  EXPECT_EQ(analyse(sumOf("m")).relaxed().mended.size(), 1U);
  EXPECT_TRUE(analyse(sumOf("m - 1")).relaxed().mended.empty());
}
