// Products with a computed factor: what has to hold for matrix units to take them.
#include "matrix_run.h"
#include "polymend/interpret.h"

#include <gtest/gtest.h>

#include <regex>

using namespace polymend;
using namespace polymend::tests;

namespace {

/// Sums over part of each row: the other factor is not zero beyond it.
constexpr const char *partOfEachRow = R"cpp(
#include <cmath>
void part_of_each_row(int n, int m, const __bf16 *a, const __bf16 *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float sum = 0.0f;
      for (int l = 0; l <= i; l++) sum += float(static_cast<__bf16>(std::exp(float(a[i * n + l])))) * float(b[l * m + j]);
      c[i * m + j] = sum;
    }
}
)cpp";

/// Arithmetic on the 16-bit numbers themselves.
constexpr const char *narrowArithmetic = R"cpp(
void narrow_arithmetic(int n, int m, int k, const _Float16 *a, const _Float16 *b, const _Float16 *w, float *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float sum = 0.0f;
      for (int l = 0; l < k; l++) {
        const _Float16 x = a[i * k + l] + b[i * k + l];
        sum += float(x) * float(w[l * m + j]);
      }
      c[i * m + j] = sum;
    }
}
)cpp";

/// The text of a function with so many columns in place of its size `outputs`.
std::string withColumns(const std::string &text, const std::string &columns) {
  return std::regex_replace(text, std::regex("(< |\\* )outputs"), "$01" + columns);
}

} // namespace

TEST(ComputedFactor, ZeroTimesInfinityDoesNotReachASum) {
  const MatrixCase c{"part_of_each_row", partOfEachRow, {}};
  const OnBoth both = lowerBoth(c);
  Memory memory = memoryAt(both.program, {{"n", 17}, {"m", 5}}, Slope::Flat);
  for (auto &[name, values] : memory.arrays)
    if (name == "b") values.back() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(fault(both.program, both.reference, memory), std::nullopt);
}

TEST(ComputedFactor, OfNarrowArithmeticAgrees) {
  const MatrixCase c{"narrow_arithmetic", narrowArithmetic, {}};
  const OnBoth both = lowerBoth(c);
  const Memory memory = memoryAt(both.program, {{"n", 17}, {"m", 5}, {"k", 20}}, Slope::Flat);
  EXPECT_EQ(fault(both.program, both.reference, memory), std::nullopt);
}

TEST(ComputedFactor, HoldsItsTilesWhileItIsMade) {
  for (const MatrixCase &c : matrixCases()) {
    if (c.name != "matmul_prologue") continue;
    const std::string text = writeText(lowerBoth(c).program);
    const std::size_t issued = text.find("contract second"), got = text.find("get u_copy", issued);
    const std::size_t made = text.find("u_factor_ahead[i, l] =", got), released = text.find("release u_copy", made);
    const std::size_t awaited = text.find("await second", released);
    EXPECT_NE(text.find("u_factor[i, l] = u_factor_ahead[i, l]", awaited), std::string::npos) << text;
  }
}

TEST(ComputedFactor, WideProductsLeaveTheLoopOfTheirStatistics) {
  const std::string source = withColumns(textOf("inputs/rmsnorm_matmul_bf16.cpp"), "512");
  const Analysed apart = analyse(source, {RelaxMode::Auto, {}, 2}), together = analyse(source);
  EXPECT_EQ(apart.plan().kernels.size(), 2);
  EXPECT_EQ(apart.plan().apart.size(), 1);
  EXPECT_EQ(together.plan().kernels.size(), 1);
  for (const EdgeVerdict &verdict : settled(apart.relaxed(), apart.plan()).verdicts)
    EXPECT_NE(verdict.verdict, Verdict::Refused);
}

TEST(ComputedFactor, IsReadLikeAnyMatrixWhereAKernelStoresIt) {
  const MatrixCase c{"rmsnorm_matmul_bf16", textOf("inputs/rmsnorm_matmul_bf16.cpp"), {}};
  const OnBoth both = lowerBoth(c);
  EXPECT_TRUE(both.program.plain.empty());
  const std::string text = writeText(both.program);
  EXPECT_NE(text.find("factor0_all_tile : bf16"), std::string::npos) << text;
  EXPECT_EQ(text.find("_ahead"), std::string::npos) << text;
  EXPECT_EQ(text.find("_fallback[i"), std::string::npos) << text;
  Memory memory = memoryAt(both.program, {{"rows", 17}, {"width", 33}, {"outputs", 5}}, Slope::Flat);
  EXPECT_EQ(fault(both.program, both.reference, memory), std::nullopt);
  for (auto &[name, values] : memory.arrays)
    if (name == "x" || name == "w") values.back() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(fault(both.program, both.reference, memory), std::nullopt);
}
