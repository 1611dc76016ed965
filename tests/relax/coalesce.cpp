// Loops over a rectangle become one where all that meets in them takes neighbours in memory, and stay where not.
#include "../compilation.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

Analysed forUnits(const std::string &text) { return analyse(text, {RelaxMode::Auto, {}, 2}); }

/// A product of matrices with a sum over x < height and y < width, at these elements.
std::string product(const std::string &width, const std::string &a, const std::string &b,
                    const std::string &first = "int y = 0") {
  return "void f(int m, int n, int height, int width, const __bf16 *a, const __bf16 *b, float *c) {\n"
         "  for (int i = 0; i < m; i++)\n    for (int j = 0; j < n; j++) {\n      float s = 0;\n"
         "      for (int x = 0; x < height; x++)\n        for (" +
         first + "; y < " + width + "; y++) s += (float)a[" + a + "] * (float)b[" + b +
         "];\n      c[i * n + j] = s;\n    }\n}\n";
}

unsigned summed(const Analysed &t) {
  const int sum = t.equation("s", true);
  EXPECT_GE(sum, 0);
  return sum < 0 ? 0 : t.system().equations[static_cast<std::size_t>(sum)].reduced();
}

} // namespace

TEST(Coalesce, MakesOneLoopOfARectangle) {
  const Analysed t = forUnits(product("8", "(i * height + x) * 8 + y", "(x * 8 + y) * n + j"));
  ASSERT_EQ(summed(t), 1U);
  const Equation &sum = t.system().equations[static_cast<std::size_t>(t.equation("s", true))];
  EXPECT_TRUE(
      setTuple(sum.domain, "s")
          .is_equal(setOf(t, "[m, n, height] -> { s[i, j, z] : 0 <= i < m and 0 <= j < n and 0 <= z < 8 height }")))
      << sum.domain;
  for (const Operand &operand : sum.operands) EXPECT_EQ(rangeDimension(operand.map), 2U) << operand.map;
}

TEST(Coalesce, TurnsTheLoopsAround) {
  EXPECT_EQ(summed(forUnits(product("8", "(i * 8 + y) * height + x", "(y * height + x) * n + j"))), 2U);
  const std::string swapped = "void f(int m, int n, int height, const __bf16 *a, const __bf16 *b, float *c) {\n"
                              "  for (int i = 0; i < m; i++)\n    for (int j = 0; j < n; j++) {\n      float s = 0;\n"
                              "      for (int y = 0; y < 8; y++)\n        for (int x = 0; x < height; x++) s += "
                              "(float)a[(i * height + x) * 8 + y] * (float)b[(x * 8 + y) * n + j];\n"
                              "      c[i * n + j] = s;\n    }\n}\n";
  EXPECT_EQ(summed(forUnits(swapped)), 1U);
}

TEST(Coalesce, NeedsNeighboursEverywhere) {
  EXPECT_EQ(summed(forUnits(product("8", "(i * height + x) * 8 + y", "(y * height + x) * n + j"))), 2U);
  EXPECT_EQ(summed(forUnits(product("8", "(x * m + i) * 8 + y", "(x * 8 + y) * n + j"))), 2U);
}

TEST(Coalesce, NeedsWholeRows) {
  EXPECT_EQ(summed(forUnits(product("7", "(i * height + x) * 8 + y", "(x * 8 + y) * n + j"))), 2U);
  EXPECT_EQ(summed(forUnits(product("width", "(i * height + x) * width + y", "(x * width + y) * n + j"))), 2U);
}

TEST(Coalesce, KeepsWhatIsLeftOut) {
  const Analysed t = forUnits(product("8", "(i * height + x) * 8 + y", "(x * 8 + y) * n + j", "int y = 3"));
  ASSERT_EQ(summed(t), 1U);
  const Equation &sum = t.system().equations[static_cast<std::size_t>(t.equation("s", true))];
  EXPECT_TRUE(
      setTuple(sum.domain, "s")
          .is_equal(setOf(
              t,
              "[m, n, height] -> { s[i, j, z] : 0 <= i < m and 0 <= j < n and 0 <= z < 8 height and z mod 8 >= 3 }")))
      << sum.domain;
}

TEST(Coalesce, LeavesLoopsOfOtherTargets) {
  EXPECT_EQ(summed(analyse(product("8", "(i * height + x) * 8 + y", "(x * 8 + y) * n + j"))), 2U);
}

TEST(Coalesce, LeavesWhatNothingIsUsedAgainAlong) {
  const Analysed t = forUnits("void f(int batch, int m, int n, int k, const __bf16 *a, const __bf16 *b, float *c) {\n"
                              "  for (int l = 0; l < batch; l++)\n    for (int h = 0; h < 4; h++)\n"
                              "      for (int i = 0; i < m; i++)\n        for (int j = 0; j < n; j++) {\n"
                              "          float s = 0;\n          for (int p = 0; p < k; p++) s += "
                              "(float)a[((l * 4 + h) * m + i) * k + p] * (float)b[((l * 4 + h) * k + p) * n + j];\n"
                              "          c[((l * 4 + h) * m + i) * n + j] = s;\n        }\n}\n");
  EXPECT_EQ(t.plan().kernels.front().rows.size(), 4U);
}

TEST(Coalesce, JoinsRowsThatOneFactorIsUsedAgainAlong) {
  const Analysed t = forUnits("void f(int batch, int n, int k, const __bf16 *a, const __bf16 *b, float *c) {\n"
                              "  for (int l = 0; l < batch; l++)\n    for (int h = 0; h < 4; h++)\n"
                              "      for (int j = 0; j < n; j++) {\n"
                              "        float s = 0;\n        for (int p = 0; p < k; p++) s += "
                              "(float)a[(l * 4 + h) * k + p] * (float)b[p * n + j];\n"
                              "        c[(l * 4 + h) * n + j] = s;\n      }\n}\n");
  EXPECT_EQ(t.plan().kernels.front().rows.size(), 2U);
}

TEST(Coalesce, MakesOneLoopOfThree) {
  EXPECT_EQ(
      summed(forUnits("void f(int m, int n, int k, const __bf16 *a, const __bf16 *b, float *c) {\n"
                      "  for (int i = 0; i < m; i++)\n    for (int j = 0; j < n; j++) {\n      float s = 0;\n"
                      "      for (int x = 0; x < k; x++)\n        for (int y = 0; y < 4; y++)\n"
                      "          for (int z = 0; z < 8; z++)\n            s += (float)a[((i * k + x) * 4 + y) * 8 + "
                      "z] * (float)b[((x * 4 + y) * 8 + z) * n + j];\n      c[i * n + j] = s;\n    }\n}\n")),
      1U);
}
