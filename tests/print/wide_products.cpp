// Which products of wide elements go to matrix units, by type, architecture and --fp; sums that no unit makes.
#include "../tile/matrix_cases.h"

#include "polymend/pipeline.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::Not;

namespace {

PipelineOutcome printed(const std::string &source, const std::string &arch, FloatMode fp) {
  const ScratchDirectory scratch;
  PipelineOptions options;
  options.file = scratch.file("input.cpp");
  options.target = Target::Cuda;
  options.arch = arch;
  options.fp = fp;
  EXPECT_FALSE(replaceFile(options.file, source));
  return transform(options);
}

/// Sums in double of products of 16-bit numbers.
constexpr const char *wideSum = R"cpp(
void wide_sum(int n, int m, int k, const __bf16 *a, const __bf16 *b, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double s = 0.0;
      for (int l = 0; l < k; l++) s += double(a[i * k + l]) * double(b[l * m + j]);
      c[i * m + j] = s;
    }
}
)cpp";

/// Sums of squares are no product of matrices.
constexpr const char *squares = R"cpp(
void squares(int n, int m, const double *a, double *c) {
  for (int i = 0; i < n; i++) {
    c[i] = 0.0;
    for (int l = 0; l < m; l++) c[i] += a[i * m + l] * a[i * m + l];
  }
}
)cpp";

} // namespace

TEST(WideProducts, DoublesGoToTheWarpsEverywhere) {
  for (const char *arch : {"sm_80", "sm_90a", "sm_100"}) {
    const std::string text = printed(textOf("inputs/matmul_f64.cpp"), arch, FloatMode::Algebraic).text;
    EXPECT_THAT(text, HasSubstr("multiplyDouble<48, true, 2048>(sum, rows, right, ")) << arch;
    EXPECT_THAT(text, Not(HasSubstr("wgmma"))) << arch;
  }
  EXPECT_THAT(printed(textOf("inputs/matmul_f64.cpp"), "sm_80", FloatMode::Strict).text,
              Not(HasSubstr("_matrix_kernel")));
}

TEST(WideProducts, FloatsAreRoundedOnlyWhereThatIsAllowed) {
  for (const char *arch : {"sm_80", "sm_90a"}) {
    const PipelineOutcome exact = printed(textOf("inputs/matmul.cpp"), arch, FloatMode::Algebraic);
    EXPECT_THAT(exact.text, Not(HasSubstr("_matrix_kernel"))) << arch;
    ASSERT_EQ(exact.diagnostics.size(), 1U) << arch;
    EXPECT_THAT(exact.diagnostics[0].message, HasSubstr("have more than 16 bits (--fp=approx rounds them)")) << arch;
    const PipelineOutcome rounded = printed(textOf("inputs/matmul.cpp"), arch, FloatMode::Approx);
    EXPECT_THAT(rounded.text, HasSubstr("multiplyFloat<48, true, 4096>(c_tile, rows, right, ")) << arch;
    EXPECT_THAT(rounded.report, HasSubstr("factors of products rounded to tf32")) << arch;
  }
}

TEST(WideProducts, AccumulatorsAreTheNextFactor) {
  const std::string text = printed(textOf("tests/corpus/weighted_doubles.cpp"), "sm_80", FloatMode::Algebraic).text;
  EXPECT_THAT(text, HasSubstr("multiplyDouble<48, true, 4096>(sum, &s[4 * "));
}

TEST(WideProducts, SumsThatNoUnitMakesStayOnTheGeneralRoute) {
  for (const char *arch : {"sm_80", "sm_90a"}) {
    const PipelineOutcome wide = printed(wideSum, arch, FloatMode::Algebraic);
    EXPECT_THAT(wide.text, Not(HasSubstr("_matrix_kernel"))) << arch;
    EXPECT_EQ(wide.diagnostics.size(), 1U) << arch;
    const PipelineOutcome none = printed(squares, arch, FloatMode::Algebraic);
    EXPECT_THAT(none.text, Not(HasSubstr("_matrix_kernel"))) << arch;
    EXPECT_TRUE(none.diagnostics.empty()) << arch;
  }
}
