// For loops: headers in all spellings, bounds, steps, and the ones that are refused.
#include "source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace polymend::test;
using testing::HasSubstr;

namespace {

std::string header(const std::string &loop, const std::string &parameters = "int n, int m") {
  const std::string text = bodyOf("#include <algorithm>\n#include <cstddef>\nvoid f(float *a, " + parameters + ") {\n" +
                                  loop + " a[i] = 1;\n}\n");
  return text.substr(0, text.find('\n'));
}

std::string refusal(const std::string &loop, const std::string &parameters = "int n, int m") {
  return whyLeft("#include <cstddef>\nvoid f(float *a, const int *t, " + parameters + ") {\n" + loop + "\n}\n");
}

TEST(Loops, Comparisons) {
  EXPECT_EQ(header("for (int i = 0; i < n; ++i)"), "for i = 0 to n");
  EXPECT_EQ(header("for (int i = 1; i <= n; i++)"), "for i = 1 to n + 1");
  EXPECT_EQ(header("for (int i = 0; i != n; ++i)"), "for i = 0 to n");
  EXPECT_EQ(header("for (int i = 0; n > i; ++i)"), "for i = 0 to n");
  EXPECT_EQ(header("for (int i = n - 1; i >= 0; --i)"), "for i = n - 1 to -1 step -1");
  EXPECT_EQ(header("for (int i = n; i > m; i -= 2)"), "for i = n to m step -2");
  EXPECT_EQ(header("for (long i = n; 0 <= i; i--)"), "for i = n to -1 step -1");
}

TEST(Loops, Steps) {
  EXPECT_EQ(header("for (int i = 0; i < n; i += 4)"), "for i = 0 to n step 4");
  EXPECT_EQ(header("for (int i = 0; i < n; i = i + 3)"), "for i = 0 to n step 3");
  EXPECT_EQ(header("for (unsigned i = 0; i < (unsigned)n; i = i + 3)"), "for i = 0 to n step 3");
  EXPECT_EQ(header("constexpr int B = 8; for (int i = 0; i < n; i += B)"), "for i = 0 to n step 8");
}

TEST(Loops, StepInTheCondition) {
  const std::string down = bodyOf("void f(float *a, int n) {\nfor (int i = n - 1; i >= 0; --i) a[i] = 0;\n}\n");
  EXPECT_EQ(bodyOf("void f(float *a, int n) {\nfor (int i = n; i-- > 0;) a[i] = 0;\n}\n"), down);
  EXPECT_EQ(bodyOf("#include <cstddef>\nvoid f(float *a, size_t n) {\nfor (size_t i = n; i-- != 0;) a[i] = 0;\n}\n"),
            down);
  const std::string turns = "for i_turn = 0 to n - 1\n  a[n - i_turn - 1] = 0.0\n";
  EXPECT_EQ(bodyOf("void f(float *a, int n) {\nfor (int i = n; i-- > 1;) a[i] = 0;\n}\n"), turns);
  EXPECT_EQ(bodyOf("void f(float *a, int n) {\nfor (int i = n; --i > 0;) a[i] = 0;\n}\n"), turns);
}

TEST(Loops, Types) {
  EXPECT_EQ(header("for (size_t i = 0; i < n; ++i)", "size_t n"), "for i = 0 to n");
  EXPECT_EQ(header("for (std::size_t i = 0; i + 1 < n; ++i)", "std::size_t n"), "for i = 0 to n - 1");
  EXPECT_EQ(header("for (long i = 0; i < n; ++i)", "long n"), "for i = 0 to n");
  EXPECT_EQ(header("for (unsigned i = 0; i < n; ++i)", "unsigned n"), "for i = 0 to n");
  EXPECT_EQ(header("int i; for (i = 0; i < n; ++i)"), "for i = 0 to n");
  EXPECT_EQ(header("for (int i = 0, e = n / 2; i < e; ++i)"), "for i = 0 to n / 2");
}

TEST(Loops, BoundsWithMinMaxAndQuotients) {
  EXPECT_EQ(header("for (int i = std::max(0, m); i < std::min(n, m + 4); ++i)"), "for i = max(0, m) to min(n, m + 4)");
  EXPECT_EQ(header("for (int i = 0; i < (n < m ? n : m); ++i)"), "for i = 0 to min(m, n)");
  EXPECT_EQ(header("for (int i = n / 4; i < n % 8; ++i)"), "for i = n / 4 to n % 8");
  EXPECT_EQ(header("for (int i = 0; i < n && i <= m; ++i)"), "for i = 0 to min(n, m + 1)");
  EXPECT_EQ(header("for (int i = 0; i * 4 < n; ++i)"), "for i = 0 to floordiv(n + 3, 4)");
  EXPECT_EQ(header("for (int i = n; i >= 0 && i > m; --i)"), "for i = n to max(-1, m) step -1");
  EXPECT_EQ(header("for (int i = n; 3 * i > m; --i)"), "for i = n to floordiv(m, 3) step -1");
}

TEST(Loops, NamesAreUnique) {
  EXPECT_EQ(bodyOf("void f(float *a, int n) {\n"
                   "  for (int i = 0; i < n; ++i) a[i] = 0;\n"
                   "  for (int i = 0; i < n; ++i) { float a_1 = 2; { float a = a_1; } }\n}\n"),
            "for i = 0 to n\n  a[i] = 0.0\n");
  EXPECT_EQ(bodyOf("void f(float *a, int n) {\n"
                   "  for (int i = 0; i < n; ++i) a[i] = 0;\n"
                   "  for (int i = 0; i < n; ++i) a[i] = i;\n}\n"),
            "for i = 0 to n\n  a[i] = 0.0\nfor i_1 = 0 to n\n  a[i_1] = float(i_1)\n");
}

TEST(Loops, RangesFromData) {
  EXPECT_EQ(
      bodyOf("void f(float *a, const int *row, const float *x, int n) {\n"
             "  for (int i = 0; i < n; ++i)\n"
             "    for (int k = row[i]; k < row[i + 1]; ++k) a[i] += x[k];\n}\n"),
      "data k_count = row[i + 1] - row[i]\nfor i = 0 to n\n  for k = 0 to k_count\n    a[i] = a[i] + x[row[i] + k]\n");
  EXPECT_EQ(bodyOf("void f(float *a, const int *length, int n) {\n"
                   "  for (int i = 0; i < n; ++i)\n"
                   "    for (int j = i; j < n && j <= length[i] - i; ++j) a[j] = 0;\n}\n"),
            "data j_end = length[i]\nfor i = 0 to n\n  for j = i to min(n, j_end - i + 1)\n    a[j] = 0.0\n");
}

TEST(Loops, Refused) {
  EXPECT_THAT(refusal("for (size_t i = n; i >= 0; --i) a[i] = 0;", "size_t n"), HasSubstr("wrap around"));
  EXPECT_EQ(refusal("for (int i = 1; i < n; i *= 2) a[i] = 0;"),
            "3: the step of 'i' is not a constant, nor a number that no loop changes");
  EXPECT_EQ(refusal("for (int i = 0; i != n; i += 2) a[i] = 0;"), "3: '!=' with this step may miss the bound");
  EXPECT_EQ(refusal("for (int i = 0; i > n; ++i) a[i] = 0;"), "3: the loop steps away from its bound");
  EXPECT_EQ(refusal("for (int i = 0; i * i < n; ++i) a[i] = 0;"),
            "3: the loop's condition is not linear in its variable");
  EXPECT_THAT(refusal("for (int i = 0; i < n; ++i) {\n a[i] = 0;\n i *= 2; }"),
              HasSubstr("5: loop variable 'i' is changed"));
  EXPECT_THAT(refusal("for (int i = 0; i < u[0]; ++i) u[i] = 0;", "int *u"),
              HasSubstr("3: 'u' changes, and is a subscript, a bound"));
  EXPECT_EQ(refusal("for (int i = t[0]; i > n; --i) a[i] = 0;"),
            "3: a loop whose bounds are read from arrays counts down");
  EXPECT_EQ(refusal("for (int i = 0; i < a[0]; ++i) a[i] = 0;"),
            "3: the loop's condition is not linear in its variable");
  EXPECT_EQ(refusal("for (int i = 0; i < (n > 3 ? m : 5); ++i) a[i] = 0;"), "") << "sizes choose";
  EXPECT_EQ(refusal("for (int i = 0; i < n / 0; ++i) a[i] = 0;"), "3: a division by zero");
  EXPECT_EQ(refusal("for (float x = 0; x < 1; x += 1) a[0] = x;"), "") << "data alone end it";
  EXPECT_EQ(refusal("for (int i = 0;; ++i) a[i] = 0;"), "3: the loop has no condition");
  EXPECT_EQ(refusal("for (; n < 3;) a[n] = 0;"), "") << "it turns for ever, or not once";
  EXPECT_EQ(refusal("for (int i = 0; i < n;) a[i] = 0;"), "") << "as this does";
  EXPECT_EQ(refusal("for (int i = 1; i < n; ++i, i *= 2) a[i] = 0;"),
            "3: the step of 'i' is not a constant, nor a number that no loop changes");
  EXPECT_THAT(refusal("for (bool i = 0; i < n; i = 1) a[i] = 0;"), HasSubstr("is not an integer"));
  EXPECT_THAT(refusal("int i; for (i = 0; i < n; ++i) a[i] = 0;\n a[i] = 1;"), HasSubstr("4: integer variable 'i'"));
}

TEST(Loops, UnsignedDifferencesMustNotWrap) {
  const std::string head =
      "#include <cstddef>\nvoid f(float *a, size_t n, size_t w) {\nfor (size_t i = 0; i < n; ++i) ";
  EXPECT_EQ(whyLeft(head + "for (size_t j = 0; j <= i; ++j) a[j] = float(i - j);\n}"), "");
  EXPECT_EQ(whyLeft(head + "a[n - 1 - i] = 0;\n}"), "");
  EXPECT_EQ(whyLeft(head + "if (i >= w) a[i] = float(i - w);\n}"), "");
  EXPECT_EQ(whyLeft(head + "a[i] = i < w ? 0.0f : float(i - w);\n}"), "");
  EXPECT_THAT(whyLeft(head + "a[i] = float(i - w);\n}"), HasSubstr("3: 'i - w' may be negative"));
  EXPECT_THAT(whyLeft(head + "if (i - w < 3) a[i] = 0;\n}"), HasSubstr("may be negative and wrap around"));
  EXPECT_THAT(whyLeft(head + "for (size_t j = i - 1; j < n; ++j) a[j] = 0;\n}"), HasSubstr("wrap around"));
  EXPECT_THAT(
      whyLeft("void f(float *a, int n) {\n for (int i = 0; i < 9; ++i)\n if ((unsigned)(i - 1) < 5u) a[i] = 0;\n}"),
      HasSubstr("3: 'i - 1' may be negative"));
}

} // namespace
