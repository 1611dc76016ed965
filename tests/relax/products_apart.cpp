// Sums of several products of matrices: each product has an equation, which begins where the one before ends.
#include "../compilation.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::ElementsAre;

namespace {

/// The sums of a function over rows, columns and a loop, each with where it begins.
std::vector<std::string> sumsOf(const std::string &element, const std::string &type = "double",
                                const std::string &result = "double") {
  const auto t = analyse("void f(int n, int m, int p, " + result + " w, const " + type + " *a, const " + type +
                         " *b, const " + type + " *c, const " + type + " *d, " + result +
                         " *y) {\n for (int i = 0; i < n; i++)\n  for (int j = 0; j < m; j++) {\n   " + result +
                         " s = 1;\n   for (int k = 0; k < p; k++) s += " + element + ";\n   y[i * m + j] = s;\n  }\n}");
  std::vector<std::string> sums;
  for (const Equation &e : t.system().equations)
    if (e.monoid) sums.push_back(show(e.initial) + " + " + show(e.value));
  return sums;
}

const std::string first = "a[i * p + k] * b[k * m + j]", second = "c[j * p + k] * d[i * p + k]";

} // namespace

TEST(ProductsApart, EachHasASumThatTheNextGoesOnFrom) {
  EXPECT_THAT(sumsOf(first + " + " + second), ElementsAre(testing::MatchesRegex("1\\.0 \\+ a.*\\* b.*"),
                                                          testing::MatchesRegex("s_.*_p0.* \\+ c.*\\* d.*")));
  EXPECT_EQ(sumsOf(first + " - w * " + second + " + " + first).size(), 3U);
  EXPECT_EQ(
      sumsOf("(float)a[i * p + k] * (float)b[k * m + j] - (float)c[j * p + k] * (float)d[i * p + k]", "__bf16", "float")
          .size(),
      2U);
}

TEST(ProductsApart, OthersStayWhole) {
  EXPECT_EQ(sumsOf(first + " + a[i * p + k]").size(), 1U) << "no product";
  EXPECT_EQ(sumsOf(first + " + a[i * p + k] * c[i * p + k]").size(), 1U) << "the same in all columns";
  EXPECT_EQ(sumsOf("w * (" + first + " + " + second + ")").size(), 1U) << "a product of a sum";
  EXPECT_EQ(sumsOf(first + " + " + second, "float", "double").size(), 1U) << "added up in another type";
}
