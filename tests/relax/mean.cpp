// A running mean of what a sum takes in is never far from all of it, so that exponentials about it do not all vanish.
// What is no such mean may be: then the sum waits.
#include "../compilation.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::tests;

namespace {

/// How many sums of exponentials about a reference are mended.
std::size_t mended(const std::string &added, const std::string &reference, const std::string &range = "j = 0; j < m",
                   const std::string &mask = "") {
  const std::string loop = "    for (int j = 0; j < m; j++) ";
  const auto t = analyse("#include <cmath>\n"
                         "void f(int n, int m, float c, const float *x, const float *w, float *y) {\n"
                         "  for (int i = 0; i < n; i++) {\n    float r = 0, s = 0, top = 0;\n" +
                         loop + "top = std::fmax(top, x[i * m + j]);\n" + loop + "r += " + added +
                         ";\n    const float g = " + reference + ";\n    for (int " + range + "; j++) " + mask +
                         "s += std::exp(x[i * m + j] - g);\n    y[i] = s;\n  }\n}\n");
  std::size_t found = 0;
  for (const Mended &one : t.relaxed().mended) found += one.correction.moves ? 1 : 0;
  return found;
}

/// The same over rows of 32 elements.
std::size_t mendedOfConstant(const std::string &reference) {
  const auto t = analyse("#include <cmath>\nvoid f(int n, const float (*x)[32], float *y) {\n"
                         "  for (int i = 0; i < n; i++) {\n    float r = 0, s = 0;\n"
                         "    for (int j = 0; j < 32; j++) r += x[i][j];\n    const float g = " +
                         reference + ";\n    for (int j = 0; j < 32; j++) s += std::exp(x[i][j] - g);\n" +
                         "    y[i] = s;\n  }\n}\n");
  return t.relaxed().mended.size();
}

} // namespace

TEST(Mean, IsOneOfWhatTheSumTakesIn) {
  EXPECT_EQ(mended("x[i * m + j]", "r / (float)m"), 1U);
  EXPECT_EQ(mended("x[i * m + j]", "r / (float)m", "j = 2; j < m"), 0U);
  EXPECT_EQ(mended("x[i * m + j]", "r / (float)m", "j = 0; j < m / 2"), 0U);
  EXPECT_EQ(mended("x[i * m + j]", "r / (float)m", "j = 0; j < m", "if (w[j] > 0) "), 0U);
}

TEST(Mean, IsOverTheNumberOfElements) {
  EXPECT_EQ(mended("x[i * m + j]", "r"), 0U);
  EXPECT_EQ(mended("x[i * m + j]", "r * 3 / (float)m"), 0U);
  EXPECT_EQ(mended("x[i * m + j]", "r * c"), 0U);
  EXPECT_EQ(mended("x[i * m + j] * top", "r"), 0U);
  EXPECT_EQ(mendedOfConstant("r / 32.0f"), 1U);
  EXPECT_EQ(mendedOfConstant("r * 0.03125f"), 1U);
  EXPECT_EQ(mendedOfConstant("r"), 0U);
  EXPECT_EQ(mendedOfConstant("r / 8.0f"), 0U);
}

TEST(Mean, WeighsWhatItIsTakenFrom) {
  const std::string weighted = "std::fabs(w[j]) * x[i * m + j]", squared = "(x[i * m + j] * c) * (x[i * m + j] * c)";
  EXPECT_EQ(mended(weighted, "r / c"), 0U)
      << "a heavy element first takes it beyond all that follow: the trial says so";
  EXPECT_EQ(mended(weighted, "r * c"), 0U);
  EXPECT_EQ(mended(squared, "r + 1.0f"), 0U) << "no mean of the number";
  EXPECT_EQ(mended(squared, "r / c + 1.0f"), 0U);
}

TEST(Mean, LetsAnExtremeOfQuotientsGoBothWays) {
  const auto found = [](const std::string &taken) {
    const auto t = analyse("#include <cmath>\nvoid f(int n, int m, const double *x, double *y) {\n"
                           "  for (int i = 0; i < n; i++) {\n    double r = 0, top = 0, s = 0;\n"
                           "    for (int j = 0; j < m; j++) r += x[i * m + j];\n"
                           "    for (int j = 0; j < m; j++) top = std::fmax(top, " +
                           taken + ");\n    for (int j = 0; j < m; j++) s += std::exp(x[i * m + j] - top);\n" +
                           "    y[i] = s + r;\n  }\n}\n");
    return t.relaxed().mended.size();
  };
  EXPECT_EQ(found("x[i * m + j]"), 1U);
  EXPECT_EQ(found("std::fabs(x[i * m + j] / r)"), 1U) << "the maximum alone";
}
