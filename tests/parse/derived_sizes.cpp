// Sizes that are quotients and products of arguments, flat loops that are taken apart, and steps that no loop changes.
#include "source.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::test;

namespace {

TEST(DerivedSizes, AProductThatMayNotFitIsAskedFor) {
  const std::string text =
      dumped("void f(unsigned long n, unsigned long m, unsigned long k, float *y) { for (unsigned long i = "
             "0; i < n * m * k; ++i) y[i] = 1; }");
  EXPECT_NE(text.find("given double(n) * double(m) * double(k) <= 4611686018427387904.0"), std::string::npos) << text;
  EXPECT_NE(text.find("for i = 0 to product"), std::string::npos) << text;
}

TEST(DerivedSizes, AQuotientThatBoundsALoopIsASize) {
  const std::string text = dumped("void f(float *y, int n, int d) { for (int i = 0; i < n / d; i++) y[i] = 1; }");
  EXPECT_NE(text.find("given quotient == "), std::string::npos) << text;
  EXPECT_NE(text.find("for i = 0 to quotient"), std::string::npos) << text;
}

TEST(DerivedSizes, TheSameQuotientIsOneSize) {
  const std::string text =
      dumped("void f(float *y, int n, int d) { for (int i = 0; i < n / d; i++) for (int j = 0; j < "
             "n / d; j++) y[i * (n / d) + j] = 1; }");
  EXPECT_EQ(text.find("quotient_1"), std::string::npos) << text;
  EXPECT_NE(text.find("y[i * quotient + j]"), std::string::npos) << text;
}

TEST(DerivedSizes, HalfASizeIsOneWhereItIsAFactor) {
  const std::string text = dumped("void f(float *y, int n) { for (int i = 0; i < (n + 1) / 2; i++) for (int j = 0; j < "
                                  "(n + 1) / 2; j++) y[i * ((n + 1) / 2) + j] = 1; }");
  EXPECT_NE(text.find("y[i * quotient + j]"), std::string::npos) << text;
  const std::string alone = dumped("void f(float *y, int n) { for (int i = 0; i < (n + 1) / 2; i++) y[i] = 1; }");
  EXPECT_EQ(alone.find("quotient"), std::string::npos) << alone;
}

TEST(DerivedSizes, AFlatLoopIsTheNestThatItStandsFor) {
  const std::string text =
      dumped("void f(float *y, const float *b, int n, int m) { for (int i = 0; i < n * m; i++) y[i] = b[i % m]; }");
  EXPECT_NE(text.find("y[i_row * m + i_column] = b[i_column]"), std::string::npos) << text;
  EXPECT_NE(text.find("given 1 <= m"), std::string::npos) << text;
}

TEST(DerivedSizes, AStrideThatIsAProductOfABoundSaysSo) {
  const std::string text =
      dumped("void f(float *y, int n, int h, int w) { for (int b = 0; b < n; b++) for (int i = 0; i < "
             "h * w; i++) y[b * h * w + i] = 1; }");
  EXPECT_NE(text.find("y[b * product + i] = 1"), std::string::npos) << text;
}

TEST(DerivedSizes, AStepThatNoLoopChangesIsAtLeastOne) {
  const std::string text = dumped("void f(float *y, int n, int s) { for (int i = 0; i < n; i += s) y[i] = 1; }");
  EXPECT_NE(text.find("y[s * i_turn] = 1"), std::string::npos) << text;
  EXPECT_NE(text.find("given 1 <= s"), std::string::npos) << text;
  EXPECT_NE(whyLeft("void f(float *y, const int *p, int n) { for (int i = 0; i < n; i += p[0]) y[i] = 1; }")
                .find("not a constant, nor a number that no loop changes"),
            std::string::npos);
}

} // namespace
