// Integers that may wrap around: what is shown never to, what is tested at entry, and what is left alone.
#include "source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

using namespace polymend::test;
using testing::HasSubstr;

namespace {

/// The conditions under which `statements` are what they are read as, one after another; or why they are left alone.
std::string given(const std::string &parameters, const std::string &statements) {
  std::istringstream lines(
      dumped("#include <algorithm>\n#include <cstddef>\nvoid f(float *y, const float *x, const int *t, " + parameters +
             ") {\n" + statements + "\n}\n"));
  std::string line, all;
  while (std::getline(lines, line)) {
    const bool isLeft = line.starts_with("left") || line.starts_with("  calls ");
    const std::string mark = isLeft ? line.substr(0, 4) : "  given ";
    if (line.starts_with(mark)) all += (all.empty() ? "" : "; ") + line.substr(isLeft ? 0 : mark.size());
  }
  return all;
}

const std::string Unsigned = "unsigned n, unsigned s", Sizes = "std::size_t n, std::size_t s", Signed = "int n, int s";

TEST(Wraps, OrdinaryLoopsNeedNoTest) {
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 0; i < n; ++i) y[i] = x[i];"), "");
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 0; i + 1 < n; ++i) y[i] = x[i + 1];"), "");
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 0; i < n; ++i) y[n - 1 - i] = float(n - i);"), "");
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 0; i < n; ++i) if (i != 0) y[i] = x[i - 1];"), "");
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 0; i < n; ++i) if (i == 0 || x[i - 1] > 0) y[i] = 1;"), "");
  EXPECT_EQ(
      given(Sizes,
            "for (std::size_t i = 0; i < n; ++i) for (std::size_t j = 0; j < s; ++j) y[i * s + j] = x[j + 3 * i];"),
      "");
  EXPECT_EQ(given(Sizes, "for (std::size_t i = 0; i < n; ++i) if (i + 2 < n) y[i] = x[i] / n;"), "");
  EXPECT_EQ(given(Signed, "for (std::size_t i = 0; i < n; ++i) y[i] = x[i * s];"), "");
  EXPECT_EQ(given(Signed, "for (int i = 0; i < n; ++i) y[i] = x[i * n + s];"), "") << "overflow is undefined";
  EXPECT_EQ(given(Signed, "for (int i = 0; i < 200; ++i) y[i] = (unsigned char)(i + 55);"), "");
}

TEST(Wraps, SumsAndProductsAreTestedAtEntry) {
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 1; i < n; ++i) y[i] = x[i + s];"), "n + s - 1 <= 4294967295");
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 0; i < n; ++i) y[i] = float(i * s);"),
            "double(n - 1) * double(s) <= 4294967295.0");
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 0; i < n; ++i) if (i + s < 9) y[i] = 1;"), "n + s - 1 <= 4294967295");
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 0; i < n - 1; ++i) y[i] = 1;"), "1 <= n");
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 0; i <= n; ++i) y[i] = 1;"), "n <= 4294967294");
  EXPECT_EQ(given(Sizes, "for (std::size_t i = 0; i < n - 1; ++i) y[i] = 1;"), "1 <= n; 0 <= n");
}

TEST(Wraps, ConversionsAreTestedAtEntry) {
  EXPECT_EQ(given(Signed, "for (unsigned i = 0; i < n; ++i) y[i] = 1;"), "0 <= n");
  EXPECT_EQ(given(Signed, "for (std::size_t i = 0; i < n && i < 9; ++i) y[i] = 1;"), "0 <= n");
  EXPECT_EQ(given(Unsigned, "for (int i = 0; i < (int)n; ++i) y[i] = 1;"), "n <= 2147483647");
  EXPECT_EQ(given("long n", "for (int i = 0; i < (int)n; ++i) y[i] = 1;"), "-2147483648 <= n; n <= 2147483647");
  EXPECT_EQ(given(Signed, "const unsigned char k = s; for (int i = 0; i < n; ++i) y[i] = k;"), "0 <= s; s <= 255");
  EXPECT_EQ(given(Sizes, "for (std::size_t i = 0; i < n && i < s; ++i) y[i] = 1;"), "0 <= n; 0 <= s")
      << "2^63 and more";
  EXPECT_EQ(given(Unsigned, "for (unsigned i = s; i != n; ++i) y[i] = 1;"), "0 <= n - s");
  EXPECT_EQ(given(Signed, "for (int i = s; i != n && i < s + 9; ++i) y[i - s] = 1;"), "0 <= n - s");
}

TEST(Wraps, SumsWithDataWrapAsTheirTypeDoes) {
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 0; i < n; ++i) y[i] = x[t[i] + s];"), "");
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 0; i < n; ++i) y[i] = x[i - 1 + 2 * (unsigned)t[i]];"), "");
  EXPECT_EQ(given("std::size_t n, unsigned *t", "for (std::size_t i = 0; i < n; ++i) t[65 * i] += t[64 * i + 2];"), "");
  EXPECT_EQ(given(Unsigned, "for (unsigned i = 0; i < n; ++i) y[i] = t[i] * s * t[i] - 7 * i;"), "");
}

TEST(Wraps, LeftAlone) {
  EXPECT_THAT(given(Unsigned, "for (unsigned i = 0; i < n; ++i) y[i] = x[i - s];"),
              HasSubstr("'i - s' may be negative"));
  EXPECT_THAT(given(Signed, "for (int i = 0; i < 300; ++i) y[i] = (unsigned char)(i + 1000);"),
              HasSubstr("may not fit 'unsigned char'"));
}

TEST(Wraps, NumbersOf64BitsWithoutASign) {
  EXPECT_EQ(given("int n, const std::size_t *k", "for (int i = 0; i < n; ++i) y[i] = k[i];"), "");
  EXPECT_EQ(given("int n, const std::size_t *k", "for (int i = 0; i < n; ++i) y[i] = x[k[i] + 1];"), "");
}

} // namespace
