// Which loops may run together: those that read common values at shifted, turned or equal places, also where places
// cannot be told; and dimensions that others determine.
#include "../compilation.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

/// Two loops over a row: a maximum of `first`, then a sum over `loop` of exponentials of `second`.
std::string rowLoops(const std::string &first, const std::string &loop, const std::string &second) {
  return R"(#include <cmath>
void f(int n, int c, const int *at, const float *x, const float *v, float *y) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, s = 0;
    for (int j = 0; j < c; j++) m = std::fmax(m, )" +
         first + ");\n    for (" + loop + ") s += std::exp(" + second + R"( - m);
    y[i] = s;
  }
})";
}

std::size_t mended(const std::string &text) {
  const auto t = analyse(text);
  return t.relaxed().mended.size();
}

} // namespace

TEST(Alignment, FollowsAShift) {
  EXPECT_EQ(mended(rowLoops("x[i * c + j]", "int j = 1; j <= c; j++", "x[i * c + j - 1]")), 1U);
  EXPECT_EQ(mended(rowLoops("x[j]", "int j = i; j < c + i; j++", "x[j - i]")), 1U);
}

TEST(Alignment, FollowsALoopBackwards) {
  EXPECT_EQ(mended(rowLoops("x[i * c + j]", "int j = 0; j < c; j++", "x[i * c + c - 1 - j]")), 1U);
  EXPECT_EQ(mended(rowLoops("x[i * c + j]", "int j = c; j > 0; j--", "x[i * c + j - 1]")), 1U);
}

TEST(Alignment, NeedsOnePointForEachPoint) {
  EXPECT_EQ(mended(rowLoops("x[j]", "int j = 0; j < c; j++", "x[j / 2]")), 0U);
  EXPECT_EQ(mended(rowLoops("x[j]", "int j = 0; j < c; j++", "v[j]")), 0U);
}

TEST(Alignment, KnowsOneExpressionWhosePlaceCannotBeTold) {
  EXPECT_EQ(mended(rowLoops("x[i * c + j + 1]", "int j = 0; j < c; j++", "x[i * c + j + 1]")), 1U);
  EXPECT_EQ(mended(rowLoops("x[at[j]]", "int j = 0; j < c; j++", "x[at[j]]")), 1U);
  EXPECT_EQ(mended(rowLoops("x[i * c + j + 1]", "int j = 0; j < c; j++", "x[i * c + j + 2]")), 0U);
}

TEST(Alignment, TakesAPlaceThatCannotBeToldForAnElement) {
  const auto t = analyse(R"(#include <cmath>
void f(int n, int c, const int *at, const float *x, const float *v, float *y) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, s = 0;
    for (int j = 0; j < c; j++) m = std::fmax(m, x[i * c + j]);
    for (int j = 0; j < c; j++) s += std::exp(x[i * c + j] - m) * v[at[j]];
    y[i] = s;
  }
})");
  ASSERT_EQ(t.relaxed().mended.size(), 1U);
  const Mended &sum = t.relaxed().mended[0];
  ASSERT_EQ(sum.correction.state.size(), 1U);
  EXPECT_NE(show(sum.correction.state[0]).find("v["), std::string::npos) << "it changes with j";
  EXPECT_EQ(show(sum.correction.final), "#0");
}

TEST(System, HasNoDimensionThatOthersDetermine) {
  const auto dims = [](const std::string &loops) {
    const auto t = analyse("void f(int n, const float *x, float *y) {\n" + loops + "\n}");
    std::size_t all = 0;
    for (const Equation &e : t.system().equations) all = std::max(all, e.dims.size());
    return all;
  };
  EXPECT_EQ(dims("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (i == j) y[i] = x[j];"), 1U);
  EXPECT_EQ(dims("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (2 * j == i) y[i] = x[j];"), 1U);
  EXPECT_EQ(dims("for (int i = 0; i < n; i++) for (int j = n - 1; j < n; j++) y[i] = x[j];"), 1U);
  EXPECT_EQ(dims("for (int i = 0; i < 1; i++) y[i] = x[i];"), 0U);
  EXPECT_EQ(dims("for (int i = 0; i < n; i++) for (int j = 0; j < 2; j++) y[2 * i + j] = x[j];"), 2U);
}
