// What people write beside plain loops over arrays: rows by reference, pointers along structures, buffers that change
// places, states by reference, matrices of their own.
#include "source.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::test;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::string records = "struct P { float a, b; }; ";
const std::string generator = "static unsigned next(unsigned &s) { s = s * 1664525u + 1013904223u; return s; } ";
const std::string containers = "#include <array>\n#include <utility>\n#include <vector>\n";

TEST(Ordinary, RowsAreNamedByReferences) {
  const std::string sum = dumped(
      containers + "void f(std::array<std::array<float, 8>, 4> &g, float *y) { for (auto &row : g) { float s = 0; "
                   "for (float v : row) s += v; row.back() = s; } const auto &last = g[3]; y[0] = last[2]; }");
  EXPECT_THAT(sum, HasSubstr("for at_row = 0 to 4"));
  EXPECT_THAT(sum, HasSubstr("g_rows[at_row][7] = s"));
  EXPECT_THAT(sum, HasSubstr("y[0] = g_rows[3][2]"));
  EXPECT_THAT(whyLeft(containers + "void f(std::vector<std::array<float, 8>> &g) { for (auto row : g) row[0] = 1; }"),
              HasSubstr("a copy of a row is not supported"));
}

TEST(Ordinary, PointersWalkAlongStructures) {
  EXPECT_EQ(bodyOf(records +
                   "void f(const P *in, float *y, int n) { for (const P *end = in + n; in != end; ++in) *y++ = "
                   "in->b; }"),
            "for at_in = 0 to n\n  y[at_in] = in_elements[at_in][1]\n");
  EXPECT_THAT(bodyOf(records +
                     "void f(const P *p, float *y, int n) { const P *q = p + n; for (int i = 0; i < n; i++) y[i] "
                     "= (--q)->a; }"),
              HasSubstr("y[i] = p_elements[n - i - 1][0]"));
  EXPECT_THAT(whyLeft(records +
                      "void f(const P *p, const P *q, float *y, int n) { for (int i = 0; i < n; i++) { y[i] = "
                      "p->a; p = i > 3 ? q : p + 1; } }"),
              Not(std::string()));
}

TEST(Ordinary, BuffersThatChangePlacesComeBack) {
  const std::string two =
      dumped("#include <utility>\nvoid f(float *a, float *b, float *y, int n, int t) { for (int k = 0; "
             "k < t; k++) { for (int i = 0; i < n; i++) b[i] = a[i] + k; std::swap(a, b); } for (int i "
             "= 0; i < n; i++) y[i] = a[i]; }");
  EXPECT_THAT(two, HasSubstr("b[i] = a[i]"));
  EXPECT_THAT(two, HasSubstr("a[i_1] = b[i_1]"));
  EXPECT_THAT(two, HasSubstr("given 0 <= t"));
  EXPECT_THAT(
      whyLeft("#include <utility>\nvoid f(float *a, float *b, int n, int t) { for (int k = 0; k < t; k++) { for "
              "(int i = 0; i < n; i++) b[i] = a[i]; if (k > 3) std::swap(a, b); } }"),
      HasSubstr("is changed after its initialisation"));
}

TEST(Ordinary, StatesAreChangedByReference) {
  const std::string once =
      bodyOf(generator + "void f(unsigned *y, const unsigned *x, int n) { for (int i = 0; i < n; i++) "
                         "{ unsigned s = x[i]; y[i] = next(s) >> 8; } }");
  EXPECT_THAT(once, HasSubstr("next_result = s"));
}

TEST(Ordinary, MatricesOfTheirOwnAreFilledByRows) {
  const std::string filled = dumped(
      containers + "void f(float *y, int n, int m) { std::vector<float> d(n * (m + 1)); for (int i = 0; i < n; i++) "
                   "for (int j = 0; j <= m; j++) y[i] += d[i * (m + 1) + j]; }");
  EXPECT_THAT(filled, HasSubstr("d[z0 * (m + 1) + z0_column] = 0.0"));
  EXPECT_THAT(filled, HasSubstr("given 0 <= m + 1"));
}

TEST(Ordinary, ConstantFunctionsAreRead) {
  EXPECT_EQ(whyLeft("constexpr void f(float *y, int n) { for (int i = 0; i < n; i++) y[i] = 1; }"), "");
  EXPECT_THAT(whyLeft("consteval int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }"),
              HasSubstr("consteval"));
}

} // namespace
