// Loops that count and that data end: turns that do nothing, and where variables are behind them.
#include "source.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::test;
using testing::HasSubstr;

namespace {

std::string rowsOf(const std::string &statements) {
  return "void f(int *y, const float (*x)[16], const float *z, int n) { for (int i = 0; i < n; i++) { " + statements +
         " } }";
}

} // namespace

TEST(DataEnded, TurnsDoNothingBehindABreak) {
  EXPECT_EQ(bodyOf(rowsOf("int c = 0; for (int k = 0; k < 16; k++) { if (x[i][k] < 0) break; c += 2; } y[i] = c;")),
            "for i = 0 to n\n"
            "  c = 0\n"
            "  goes_on = 1\n"
            "  for k = 0 to 16\n"
            "    holds = goes_on != 0 ? 1 : 0\n"
            "    goes_on = holds != 0 ? x[i][k] < 0.0 ? 0 : goes_on : goes_on\n"
            "    c = holds != 0 ? x[i][k] < 0.0 ? c : c + 2 : c\n"
            "  y[i] = c\n");
}

TEST(DataEnded, AConditionBesideTheCountIsAskedBeforeATurn) {
  const std::string read = bodyOf(rowsOf("int c = 0; for (int k = 0; k < 16 && x[i][k] > 0; k++) c++; y[i] = c;"));
  EXPECT_THAT(read, HasSubstr("for k = 0 to 16"));
  EXPECT_THAT(read, HasSubstr("0.0 < x[i][k]"));
}

TEST(DataEnded, VariablesAreWhereTheTurnsHaveLeftThem) {
  const std::string stepped = bodyOf(rowsOf("int k = 15; while (k >= 0 && x[i][k] > 0) k--; y[i] = k;"));
  EXPECT_THAT(stepped, HasSubstr("k = int(-turned + 15)"));
  const std::string partly =
      bodyOf(rowsOf("int k = 0; float s = z[i] + x[i][0]; while (k < 16) { s = s * x[i][k]; k++; if (s > 9) break; } "
                    "y[i] = k + (int)x[i][1];"));
  EXPECT_THAT(partly, HasSubstr("k_part = "));
  EXPECT_THAT(partly, HasSubstr("turned + k_part"));
}

TEST(DataEnded, LoopsOfManyTurnsAreTold) {
  const auto isLong = [](const std::string &limit) {
    const ParseOutcome outcome = parseText(
        rowsOf("int c = 0; for (int k = 0; k < " + limit + "; k++) { if (z[k] < 0) break; c += i; } y[i] = c;"));
    const std::vector<DataEnd> ends = outcome.nest->functions.at(0).ends;
    return ends.size() == 1 && ends[0].isLong;
  };
  EXPECT_TRUE(isLong("n"));
  EXPECT_TRUE(isLong("2000"));
  EXPECT_FALSE(isLong("1000"));
}

TEST(DataEnded, AHelperReturnsFromWithinItsLoops) {
  const std::string pairs =
      "static int pair(const float *z, float a) { for (int p = 0; p < 4; p++) { if (z[p] < 0) return -1; for (int q = "
      "0; q < p; q++) if (z[p] * z[q] > a) return q; } return 9; } ";
  const std::string read = bodyOf(pairs + rowsOf("y[i] = pair(z, x[i][0]);"));
  EXPECT_THAT(read, HasSubstr("returned = 0\n"));
  EXPECT_THAT(read, HasSubstr("for q = 0 to p\n"));
  EXPECT_THAT(whyLeft("void f(float *y, int n) { for (int i = 0; i < n; i++) { if (y[i] < 0) return; y[i] = 1; } }"),
              HasSubstr("a return before the end"));
}

TEST(DataEnded, AReturnUnderAConditionAroundItsLoopIsLeft) {
  const std::string search = "static int first(const float *z, int m) { if (m > 3) { for (int p = 0; p < 9; p++) if "
                             "(z[p] < 0) return p; } return 9; } ";
  EXPECT_THAT(whyLeft(search + "void f(int *y, const float *z, int n, int m) { for (int i = 0; i < n; i++) y[i] = "
                               "first(z + i, m); }"),
              testing::AnyOf("", HasSubstr("a return before the end")));
}

TEST(DataEnded, WhatNothingButDataEndIsRead) {
  EXPECT_THAT(whyLeft(rowsOf("int c = 0; for (int k = 0; k < 16; k++) { if (x[i][k] < 0) goto out; c += 2; } out: "
                             "y[i] = c;")),
              HasSubstr("a goto"));
  const std::string read = bodyOf(rowsOf("int c = 0; for (int k = 0; x[i][k] > 0; k++) c++; y[i] = c;"));
  EXPECT_THAT(read, HasSubstr("= 0 to 4611686018427387904\n"));
  EXPECT_THAT(read, HasSubstr("goes_on = "));
  EXPECT_THAT(
      whyLeft("void f(int *y, const float *x, int n) { for (int i = 0; i < n; i++) { int k = 0; while (x[i + k] > 0) "
              "++k; y[i] = k; } }"),
      HasSubstr("data alone say how many elements of 'x' the loop reads: declare it __restrict"));
  EXPECT_THAT(
      whyLeft("void f(float *__restrict y, const float *__restrict x, const int *c, int n) { for (int i = 0; i < n; "
              "i++) { int j = c[i]; float u = 0; while (--j >= 0) { u += x[j]; if (u > 4) break; } y[i] = j + u; } }"),
      HasSubstr("where 'j' is behind a loop that data end is not known"));
}

TEST(DataEnded, IntegersAreHeldWhereTheirArrayIsWrittenLater) {
  const std::string read = bodyOf("void f(unsigned char *y, int n) { for (int i = 0; i < n; i++) { const unsigned char "
                                  "held = y[i]; y[i] = y[n + i]; y[n + i] = held; } }");
  EXPECT_THAT(read, HasSubstr("held = int(y[i])\n"));
  EXPECT_THAT(read, HasSubstr("y[n + i] = std::uint8_t(held)\n"));
}

TEST(DataEnded, OnADeviceArraysHaveTheirElements) {
  ParseOptions device;
  device.isDevice = true;
  const std::string counted = "for (int k = 0; k < 16; k++) { if (z[16 * i + k] < 0) break; c += (int)z[16 * i + k]; }";
  EXPECT_EQ(whyLeft(rowsOf("int c = 0; " + counted + " y[i] = c;")), "");
  const ParseOutcome outcome = parseText(rowsOf("int c = 0; " + counted + " y[i] = c;"), device);
  ASSERT_TRUE(outcome.nest);
  EXPECT_TRUE(outcome.nest->functions.empty()) << "z may have fewer elements";
}

TEST(DataEnded, ADeviceCallsNothingOfTheSource) {
  const std::string root = "double root(double a) { double r = a; int k = 0; while (k < 30 && r * r - a > 1e-9) { r = "
                           "0.5 * (r + a / r); k++; } return r; } ";
  const std::string whole = root + "void f(double *y, int n) { for (int i = 0; i < n; i++) y[i] = root(y[i]); }";
  ParseOptions options;
  options.entries = {"f"};
  ASSERT_TRUE(parseText(whole, options).nest);
  EXPECT_EQ(parseText(whole, options).nest->functions.at(0).outlined.size(), 1U);
  options.isDevice = true;
  EXPECT_TRUE(parseText(whole, options).nest->functions.at(0).outlined.empty());
}
