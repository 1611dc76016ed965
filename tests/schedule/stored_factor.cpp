// A factor of a wide product that is computed from a row's reductions is stored once by the kernel of the row, where
// that is cheaper and no larger than what it reads. What all rows of a sum share is stored on any target.
#include "../compilation.h"

#include "polymend/order.h"
#include "schedule/wide_product.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

AnalyseOptions onMatrixUnits() {
  AnalyseOptions options;
  options.narrowFactors = 2;
  return options;
}

/// Maps without stores of their own: the equations that stand for factors.
std::vector<int> factorsOf(const Analysed &t) {
  std::vector<int> found;
  for (std::size_t e = 0; e < t.system().equations.size(); ++e)
    if (!t.system().equations[e].monoid && t.system().equations[e].stores.empty()) found.push_back(static_cast<int>(e));
  return found;
}

std::size_t kernelOf(const Analysed &t, int equation) {
  for (std::size_t k = 0; k < t.plan().kernels.size(); ++k)
    for (const Phase &phase : t.plan().kernels[k].phases)
      for (const Member &member : phase.members)
        if (member.equation == equation) return k;
  return t.plan().kernels.size();
}

/// Sums of products that read the equation.
int productsReading(const Analysed &t, int equation) {
  int count = 0;
  for (const Equation &e : t.system().equations)
    for (const Operand &operand : e.operands) count += e.monoid.has_value() && operand.equation == equation;
  return count;
}

/// y[i][j] = sum over p of bf16(element) * w[p][j] after s[i] = sum over p of x[i][p]; with what follows.
std::string product(const std::string &element, const std::string &columns, const std::string &more = "") {
  return "void f(int n, int m, int k, int l, const __bf16 *x, const float *t, const __bf16 *w, const __bf16 *v, "
         "float *y, float *z) {\n"
         "  for (int i = 0; i < n; i++) {\n"
         "    float s = 0;\n"
         "    for (int p = 0; p < k; p++) s += (float)x[i * k + p];\n"
         "    for (int j = 0; j < " +
         columns +
         "; j++) {\n"
         "      float a = 0;\n"
         "      for (int p = 0; p < k; p++) a += (float)(__bf16)(" +
         element + ") * (float)w[p * " + columns + " + j];\n      y[i * " + columns + " + j] = a;\n    }\n" + more +
         "  }\n}\n";
}

const char *const scaled = "(float)x[i * k + p] * s * t[p]";

} // namespace

TEST(StoredFactor, IsComputedOnceByTheKernelOfItsRow) {
  const auto t = analyse(textOf("inputs/rmsnorm_matmul_bf16.cpp"), onMatrixUnits());
  const std::vector<int> factors = factorsOf(t);
  ASSERT_EQ(factors.size(), 1U);
  const Equation &factor = t.system().equations[static_cast<std::size_t>(factors[0])];
  EXPECT_EQ(factor.type, Type::BFloat16);
  EXPECT_EQ(factor.keys, 2U);
  EXPECT_TRUE(setTuple(factor.domain, "F")
                  .is_equal(setOf(
                      t, "[rows, width, outputs] -> { F[i, c] : 0 <= i < rows and 0 <= c < width and outputs > 0 }")));
  EXPECT_EQ(t.plan().places[static_cast<std::size_t>(factors[0])], EquationPlace::Work);
  const int square = t.equation("square", true), sum = t.equation("sum", true);
  ASSERT_GE(std::min(square, sum), 0);
  EXPECT_EQ(kernelOf(t, factors[0]), kernelOf(t, square));
  EXPECT_LT(kernelOf(t, factors[0]), kernelOf(t, sum));
  EXPECT_EQ(t.plan().places[static_cast<std::size_t>(square)], EquationPlace::Tile);
  for (const Operand &operand : t.system().equations[static_cast<std::size_t>(sum)].operands)
    EXPECT_TRUE(operand.equation == factors[0] || operand.array == "w") << operand.array;
}

TEST(StoredFactor, LeavesOutTheCorrectionOfItsProduct) {
  const auto t = analyse(product(scaled, "m"), onMatrixUnits());
  ASSERT_EQ(factorsOf(t).size(), 1U);
  EXPECT_TRUE(t.relaxed().mended.empty());
  int apart = 0;
  for (const EdgeVerdict &verdict : t.relaxed().verdicts) {
    apart += verdict.reason.find("a kernel of its own") != std::string::npos;
    EXPECT_LT(verdict.mended, 0);
  }
  EXPECT_GT(apart, 0);
  EXPECT_TRUE(violations(t.relaxed(), t.plan()).empty());
}

TEST(StoredFactor, KeepsTheCorrectionsOfItsRow) {
  const auto t = analyse(textOf("inputs/layernorm_matmul_bf16.cpp"), onMatrixUnits());
  ASSERT_EQ(factorsOf(t).size(), 1U);
  ASSERT_EQ(t.relaxed().mended.size(), 1U);
  EXPECT_EQ(t.relaxed().mended[0].consumer, t.equation("square", true));
  EXPECT_EQ(t.relaxed().mended[0].producers, std::vector<int>{t.equation("sum", true)});
  EXPECT_TRUE(violations(t.relaxed(), t.plan()).empty());
}

TEST(StoredFactor, ServesSeveralProducts) {
  const auto t = analyse(textOf("tests/corpus/unit_rows_gated.cpp"), onMatrixUnits());
  ASSERT_EQ(factorsOf(t).size(), 1U);
  EXPECT_EQ(productsReading(t, factorsOf(t)[0]), 2);
}

TEST(StoredFactor, ServesProductsOfUnlikeWidth) {
  const auto t =
      analyse(product(scaled, "m",
                      "    for (int j = 0; j < l; j++) {\n      float b = 0;\n"
                      "      for (int p = 0; p < k; p++) b += (float)(__bf16)(" +
                          std::string(scaled) + ") * (float)v[p * l + j];\n      z[i * l + j] = b;\n    }\n"),
              onMatrixUnits());
  ASSERT_EQ(factorsOf(t).size(), 1U);
  EXPECT_EQ(productsReading(t, factorsOf(t)[0]), 2);
  const Equation &factor = t.system().equations[static_cast<std::size_t>(factorsOf(t)[0])];
  EXPECT_TRUE(setTuple(factor.domain, "F")
                  .is_equal(setOf(t, "[n, m, k, l] -> { F[i, p] : 0 <= i < n and 0 <= p < k and (m > 0 or l > 0) }")));
}

TEST(StoredFactor, MayBeTheRightOne) {
  const auto t = analyse(textOf("tests/corpus/unit_weights.cpp"), onMatrixUnits());
  ASSERT_EQ(factorsOf(t).size(), 1U);
  EXPECT_TRUE(setTuple(t.system().equations[static_cast<std::size_t>(factorsOf(t)[0])].domain, "F")
                  .is_equal(setOf(t, "[n, m, k] -> { F[j, p] : 0 <= j < m and 0 <= p < k and n > 0 }")));
}

TEST(StoredFactor, IsComputedAgainWhereColumnsAreFew) {
  EXPECT_EQ(factorsOf(analyse(product(scaled, "2048"), onMatrixUnits())).size(), 1U);
  EXPECT_EQ(factorsOf(analyse(product(scaled, "1024"), onMatrixUnits())).size(), 0U);
  EXPECT_EQ(factorsOf(analyse(product("(float)x[i * k + p] / s", "512"), onMatrixUnits())).size(), 0U);
  EXPECT_EQ(factorsOf(analyse(product("(float)x[i * k + p] / s", "1024"), onMatrixUnits())).size(), 1U);
}

TEST(StoredFactor, NeedsARowsValueAndAnArrayOfItsSize) {
  EXPECT_EQ(factorsOf(analyse(product(scaled, "m"), onMatrixUnits())).size(), 1U);
  EXPECT_EQ(factorsOf(analyse(product("(float)x[i * k + p] * t[p] * t[i]", "m"), onMatrixUnits())).size(), 0U);
  EXPECT_EQ(factorsOf(analyse(product("s * t[i] * t[p]", "m"), onMatrixUnits())).size(), 0U);
  EXPECT_EQ(factorsOf(analyse(product("(float)x[i * k + p / 2] * s * t[p]", "m"), onMatrixUnits())).size(), 0U);
}

/// A number of the column that is written out, not read, makes a factor of every column as well.
TEST(StoredFactor, DependsOnTheVariablesThatItNames) {
  const auto t = analyse(product("(float)x[i * k + p] * s * t[p] * (float)p", "m"), onMatrixUnits());
  EXPECT_EQ(factorsOf(t).size(), 1U);
  EXPECT_EQ(factorsOf(analyse(product(std::string(scaled) + " * (float)j", "m"), onMatrixUnits())).size(), 0U);
}

/// Doubles times floats are no product that matrix units take, on either side.
TEST(WideProduct, HasFactorsOfItsOwnType) {
  const auto isWide = [](const std::string &left, const std::string &right) {
    const auto t =
        analyse("void f(int n, int m, int k, const " + left + " *x, const " + right + " *w, double *y) {\n" + R"(
      for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
          double a = 0;
          for (int p = 0; p < k; p++) a += x[i * k + p] * w[p * m + j];
          y[i * m + j] = a;
        } })");
    const int sum = t.equation("a", true);
    EXPECT_GE(sum, 0);
    ScheduleOptions options;
    options.narrowFactors = 2;
    return sum >= 0 && isWideProduct(t.system().equations[static_cast<std::size_t>(sum)], {0}, options);
  };
  EXPECT_TRUE(isWide("double", "double"));
  EXPECT_FALSE(isWide("float", "double"));
  EXPECT_FALSE(isWide("double", "float"));
}

TEST(StoredFactor, IsForMatrixUnits) {
  EXPECT_EQ(factorsOf(analyse(product(scaled, "m"))).size(), 0U);
  for (const char *input : {"inputs/prefill_causal.cpp", "inputs/matmul_prologue.cpp"}) {
    const auto without = analyse(textOf(input)), with = analyse(textOf(input), onMatrixUnits());
    EXPECT_EQ(with.system().equations.size(), without.system().equations.size()) << input;
  }
}

namespace {

/// y[i] = sum over j of a term of a[i][j] and x[j], after w[j] = exp(-x[j]).
Analysed weighted(const std::string &term, const std::string &rows = "n") {
  return analyse("#include <cmath>\nvoid f(int n, int m, const float *x, const float *a, float *w, float *y) {\n"
                 "  for (int j = 0; j < m; j++) w[j] = std::exp(-x[j]);\n  for (int i = 0; i < " +
                 rows + "; i++) {\n    float s = 0;\n    for (int j = 0; j < m; j++) s += " + term +
                 ";\n    y[i] = s;\n  }\n}\n");
}

} // namespace

TEST(SharedTerm, IsReadWhereItIsStoredAnyway) {
  const auto t = weighted("w[j] * a[i * m + j]");
  const int map = t.equation("w", false);
  ASSERT_GE(map, 0);
  EXPECT_EQ(productsReading(t, map), 1);
  EXPECT_EQ(factorsOf(t).size(), 0U);
  EXPECT_LT(kernelOf(t, map), kernelOf(t, t.equation("s", true)));
}

TEST(SharedTerm, IsStoredWhereTheSourceComputesItInEachRow) {
  const auto t = weighted("std::exp(x[j] * 2) * a[i * m + j] + std::sqrt(x[j] + 1)");
  EXPECT_EQ(factorsOf(t).size(), 2U);
  EXPECT_EQ(factorsOf(weighted("std::exp(w[j]) * std::exp(w[j]) * a[i * m + j]")).size(), 1U);
}

/// What is cheap, what a row chooses, what few rows share, and what may not be read by all.
TEST(SharedTerm, IsComputedWhereItPaysNothingOrMayNotBeRead) {
  for (const char *term : {"(x[j] + 1) * a[i * m + j]", "std::exp(x[j] * a[i * m + j])",
                           "x[j] > 0 ? std::log(x[j]) * a[i * m + j] : 0.0f"})
    EXPECT_EQ(factorsOf(weighted(term)).size(), 0U) << term;
  EXPECT_EQ(factorsOf(weighted("std::exp(x[j] * 2) * a[i * m + j]", "4")).size(), 0U);
}

/// A mend computes its terms about a pivot, in one loop.
TEST(SharedTerm, IsNoPartOfAMend) {
  const auto t = analyse(R"(#include <cmath>
    void f(int n, int d, const float *x, const float *v, float *o) {
      float most = -INFINITY;
      for (int j = 0; j < n; j++) most = std::fmax(most, x[j]);
      for (int t = 0; t < d; t++) {
        float sum = 0;
        for (int j = 0; j < n; j++) sum += std::exp(x[j] - most) * v[j * d + t];
        o[t] = sum;
      }
    })");
  EXPECT_EQ(t.relaxed().mended.size(), 1U);
  EXPECT_EQ(factorsOf(t).size(), 0U);
}

namespace {

std::int64_t partsOf(const std::string &body, const AnalyseOptions &options = {}) {
  const auto t = analyse("void f(int n, int m, const float *a, float *y) {\n" + body + "}\n", options);
  return t.plan().kernels.empty() ? 0 : t.plan().kernels.front().parts;
}

} // namespace

/// Windows are short; many rows run beside each other anyway.
TEST(Parts, ShareOutTheLoopsOfASumOverSeveral) {
  const std::string sum = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i * m + j];";
  EXPECT_GT(partsOf("float s = 0; " + sum + " y[0] = s;"), 1);
  EXPECT_GT(partsOf("for (int c = 0; c < 3; c++) { float s = 0; " + sum + " y[c] = s * c; }"), 1);
  EXPECT_EQ(
      partsOf("for (int c = 0; c < n; c++) { float s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) "
              "s += a[(c * n + i) * m + j]; y[c] = s; }"),
      1);
  EXPECT_EQ(
      partsOf("float s = 0; for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) s += a[i * m + j]; y[0] = s;"), 1);
  AnalyseOptions rolling;
  rolling.mode = RelaxMode::Rolling;
  EXPECT_EQ(partsOf("float s = 0; " + sum + " y[0] = s;", rolling), 1);
}
