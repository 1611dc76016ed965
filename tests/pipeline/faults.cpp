// What goes wrong in a room costs no more than the function that it goes wrong on: a warning that asks for a report,
// the exit code of the table, the other functions transformed. Programs are bent on their way to be found out.
#include "polymend/lower.h"
#include "polymend/pipeline.h"
#include "polymend/run.h"

#include "tile/visit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

using namespace polymend;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

const char *const twoFunctions = R"(void scaled(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] * 2.0f;
}
void rows(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < m; j++) sum += x[i * m + j];
    y[i] = sum;
  }
}
)";

const char *const product = R"(void product(int n, int m, int k, const __bf16 *a, const __bf16 *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float sum = 0;
      for (int l = 0; l < k; l++) sum += (float)a[i * k + l] * (float)b[j * k + l];
      c[i * m + j] = sum;
    }
}
)";

using Bend = std::function<void(TileProgram &)>;

class Faults : public testing::Test {
protected:
  ScratchDirectory scratch;

  PipelineOptions options(const std::string &text, const Bend &bend) {
    PipelineOptions result;
    result.file = scratch.file("input.cpp");
    EXPECT_FALSE(replaceFile(result.file, text));
    result.beforeChecks = bend;
    return result;
  }

  static std::string said(const PipelineOutcome &outcome) {
    std::string all;
    for (const Diagnostic &diagnostic : outcome.diagnostics) all += render(diagnostic, "");
    return all;
  }
};

/// Every value stored is one more than it should be.
TileProgram oneMore(const TileProgram &program) {
  TileProgram result = program;
  for (Kernel &kernel : result.kernels)
    kernel = rewrite(kernel, [&](TileAssign assign) {
      const bool stored = std::any_of(program.arrays.begin(), program.arrays.end(), [&](const TileArray &array) {
        return array.space == Space::Argument && array.name == assign.target.array;
      });
      if (stored) assign.value = assign.value + Expr::real(1, assign.value.type());
      return assign;
    });
  return result;
}

void bendRows(TileProgram &program) {
  if (program.function == "rows") program = oneMore(program);
}

void breakRows(TileProgram &program) {
  if (program.function == "rows") throw std::out_of_range("map::at");
}

void bendRoles(TileProgram &program) {
  const bool roles = std::any_of(program.kernels.begin(), program.kernels.end(),
                                 [](const Kernel &kernel) { return !kernel.roles.empty(); });
  if (roles) program = oneMore(program);
}

} // namespace

TEST_F(Faults, AWrongValueIsFoundInEachTransformation) {
  const PipelineOutcome outcome = transform(options(twoFunctions, bendRows));
  EXPECT_EQ(outcome.exitCode, ExitCode::Done);
  EXPECT_THAT(said(outcome),
              ContainsRegex("warning: 'rows' is left as it is: validation failed at .*please report it"));
  EXPECT_THAT(said(outcome), Not(HasSubstr("'scaled'")));
  EXPECT_THAT(outcome.text, HasSubstr("// Kernel scaled."));
  EXPECT_THAT(outcome.text, HasSubstr("for (int j = 0; j < m; j++) sum += x[i * m + j];"));
  EXPECT_THAT(outcome.text, Not(HasSubstr("// Kernel rows.")));
  ASSERT_EQ(outcome.faults.size(), 1U);
}

/// What is divided by the sum of distances from a mean, nothing but roundings, has other digits in another order.
TEST_F(Faults, AreNoneWhereTheSourceHasNoRightDigit) {
  const std::string text = R"(#include <cmath>
void f(int n, int m, const float *x, const float *w, float *y) {
  for (int i = 0; i < n; i++) {
    float all = 0, below = 0, sum = 0;
    for (int j = 0; j < m; j++) all += x[i * m + j];
    const float mean = all / (float)m;
    for (int j = 0; j < m; j++) below += x[i * m + j] - mean;
    for (int j = 0; j < m; j++) sum += w[j] * (std::exp((x[i * m + j] - mean) * 0.25f) / below);
    y[i] = sum;
  }
}
)";
  for (const std::int64_t tile : {3, 16, 1024}) {
    PipelineOptions asked = options(text, nullptr);
    asked.tiles = {{"j", tile}};
    const PipelineOutcome outcome = transform(asked);
    EXPECT_THAT(said(outcome), Not(HasSubstr("validation failed"))) << tile;
    EXPECT_THAT(outcome.text, HasSubstr("// Kernel f."));
  }
}

TEST_F(Faults, AnExceptionCostsOneFunction) {
  const PipelineOutcome outcome = transform(options(twoFunctions, breakRows));
  EXPECT_EQ(outcome.exitCode, ExitCode::Done);
  EXPECT_THAT(said(outcome), HasSubstr("warning: 'rows' is left as it is: internal error: map::at; this is a fault"));
  EXPECT_THAT(outcome.text, HasSubstr("// Kernel scaled."));
}

TEST_F(Faults, CountForMoreThanRefusals) {
  for (const Bend &bend : {Bend(bendRows), Bend(breakRows)}) {
    PipelineOptions required =
        options(std::string(twoFunctions) + "void left(float *x) { while (*x > 0) x++; }\n", bend);
    required.require = true;
    EXPECT_EQ(transform(required).exitCode, ExitCode::Invalid);
    EXPECT_EQ(explain(required).exitCode, ExitCode::Invalid);
    required.beforeChecks = nullptr;
    EXPECT_EQ(transform(required).exitCode, ExitCode::Refused);
    EXPECT_EQ(check(options(twoFunctions, bend)).exitCode, ExitCode::Invalid);
  }
}

TEST_F(Faults, AKernelOnMatrixUnitsGivesWayWithARemark) {
  PipelineOptions gpu = options(product, bendRoles);
  gpu.target = Target::Cuda;
  gpu.arch = "sm_90a";
  const PipelineOutcome outcome = transform(gpu);
  EXPECT_EQ(outcome.exitCode, ExitCode::Done);
  EXPECT_THAT(said(outcome),
              ContainsRegex("remark: 'product' does not use matrix units: a trial run fails at .*report"));
  EXPECT_THAT(outcome.text, HasSubstr("product_kernel"));
  EXPECT_THAT(outcome.text, Not(HasSubstr("product_matrix")));
  gpu.faultsAreErrors = true;
  EXPECT_EQ(transform(gpu).exitCode, ExitCode::Invalid);
  gpu.beforeChecks = nullptr;
  EXPECT_EQ(transform(gpu).exitCode, ExitCode::Done);
}

/// What isl cannot do is no fault: a quotient of two numbers that it does not read, and dependences that its scheduler
/// cannot carry (seed 7601 of scripts/fuzz, 2811 and 349).
TEST_F(Faults, AreNoneOfIsls) {
  const char *const quotient = R"(void f(int columns, int m, int len, const float *src, float *grid, float scale) {
  for (int p = 0; p < len; p++) {
    for (int row = m - 1; row >= 0; row -= 4) {
      float top = 1.0f;
      for (int at = 2; at < len; at++)
        if (p < at + 5) top += (scale * 0.25f - src[row * m + len - 1 - at]) * 0.25f;
      grid[p * len + row + 3] = top;
    }
  }
})";
  EXPECT_THAT(said(transform(options(quotient, nullptr))), Not(HasSubstr("isl")));
  const char *const carried =
      R"(void f(int h, int n, int k, const float *left, const float *x, float *grid, float *acc) {
  for (int at = 0; at < 5; at++) {
    for (int p = 0; p < k; p++) {
      for (int t = 0; t < 12; t++) {
        float total = 0.0f;
        for (int row = 0; row < h; row++) total += 3.0f;
        acc[p * 64 + t] = total;
        float best = 1.0f;
        for (int l = 3; l < k; l++) best += (acc[t * 64 + l + 2] + x[l]) * 0.5f;
        acc[p * 64 + p + 4] = best;
      }
      for (int j = 0; j < n; j++) {
        float sum = 0.0f;
        for (int i = 0; i < 5; i++) sum += x[i] - (grid[(j + 4) * 64 + i] * 0.25f - left[(j - 2) * n + i - 4]);
        grid[p * 64 + j] = sum;
      }
    }
    float last = 1.0f;
    for (int r = 0; r < 11; r++) last += x[r] * 0.25f;
    grid[at * 64 + at] = last;
  }
})";
  EXPECT_THAT(said(transform(options(carried, nullptr))), Not(HasSubstr("isl")));
}

TEST_F(Faults, WhatIsNotValidatedSaysWhy) {
  const char *const large = R"(void large(float y[4000][4000], const float x[4000][4000]) {
  for (int i = 0; i < 4000; i++)
    for (int j = 0; j < 4000; j++) y[i][j] = x[i][j] * 2.0f;
})";
  EXPECT_THAT(said(transform(options(large, nullptr))), HasSubstr("'large' is not validated: its loops run too often"));
  const char *const gathered = R"(void gathered(int n, float *y, const float *x, const int *t) {
  for (int i = 0; i < n; i++) y[i] = x[t[i]] * 2.0f;
})";
  EXPECT_THAT(said(transform(options(gathered, nullptr))), Not(HasSubstr("is not validated")));
  EXPECT_THAT(said(transform(options(twoFunctions, nullptr))), Not(HasSubstr("is not validated")));
}

/// A loop whose inner loops have no turns has turns all the same: sizes at which they are many are not tried.
TEST_F(Faults, LoopsAroundNothingAreNotTriedForLong) {
  const char *const nothing = R"(#include <cstdint>
void nothing(int m, int rows, int len, std::int16_t *__restrict c, const std::uint8_t *__restrict left) {
  for (int l = 3; l < rows; l++)
    for (int i = 1; i < rows; i++)
      for (int col = 3; col < len; col += 4) {
        int g1 = 1;
        for (int p = m - 1; p >= l; p--) g1 += ((left[p] + 3) + ((int)(p) - (int)(l)));
        c[i * m + col] = (std::int16_t)((g1 % 97));
      }
})";
  const std::clock_t start = std::clock();
  transform(options(nothing, nullptr));
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 60);
}

/// Nor do loops run in the source's place whose statement a condition leaves out everywhere.
TEST_F(Faults, LoopsInWhichNothingRunsAreNone) {
  const char *const idle = R"(
void idle(int d, int rows, const long *b, int *acc) {
  for (int row = 0; row < rows; row++) {
    int low = 0;
    for (int i = 0; i < d; i++)
      for (int p = 0; p < 4; p++)
        for (int r = 0; r < rows; r++)
          if (p != p) low += b[(i * 4 + p) * rows + r];
    acc[row] = low + 3;
  }
})";
  const std::clock_t start = std::clock();
  EXPECT_THAT(transform(options(idle, nullptr)).text, HasSubstr("// Kernel idle."));
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 5) << "it took 22 s";
}

/// A tile in which no row is computed, but that the grid has, reads nothing: there is nothing to read.
TEST_F(Faults, ATileWithoutRowsReadsNothing) {
  const char *const sparse =
      R"(void f(int len, int columns, int d, const int (*u)[24], const int (*weights)[40][40], int *y) {
  for (int j = 1; j < d; j += 2) {
    for (int r = 1; r < len; r++) {
      for (int t = d - 1; t >= 0; t--) {
        int g1 = 0;
        for (int p = r + 1; p < columns; p += 4) {
          g1 += ((weights[r][t][p] + weights[r + 4][t][p]) + (0 + weights[r + 2][r][p]));
        }
        y[t + 4] = (g1 % 97);
        int best = 1;
        for (int e = 0; e < d - 1; e += 2) {
          best += ((weights[d - 1 - r][t][2 * e] + u[t][3 * e]) + (0 - u[len - 1 - j][e]));
        }
        y[3 * t] = (best % 97);
        y[d - 1 - t] = ((((int)(t) - weights[j][r][t]) - (weights[j - 2][r + 3][columns - 1 - t] + u[j][t + 4])) % 97);
      }
    }
  }
})";
  EXPECT_THAT(said(transform(options(sparse, nullptr))), Not(HasSubstr("validation failed")));
}

/// What isl gives up on once corrections are known is left, and its report is written.
TEST_F(Faults, AFunctionLeftAfterItWasMendedHasAReport) {
  const char *const few =
      R"(#include <cmath>
void f(float *result, const float (*in)[8]) {
  for (int r = 0; r < 4; r++) {
    float norm = -INFINITY, sum = 0;
    for (int p = 0; p < 8; p++) norm = std::fmax(norm, in[r][p]);
    for (int p = 0; p < 8; p++) sum += std::exp(in[r][p] - norm);
    result[r] = norm + std::log(sum);
  }
})";
  const PipelineOutcome outcome = transform(options(few, nullptr));
  EXPECT_THAT(said(outcome), HasSubstr("nothing gained"));
  EXPECT_THAT(outcome.report, HasSubstr("\"corrected\""));
}

/// Sizes that make a row longer than the source's array has room for say nothing of who shares an element.
TEST_F(Faults, WhatLiesBeyondARowIsNoElementOfTheNext) {
  const char *const rows = R"(void f(int m, int rows, float (*z)[24], const double *__restrict data) {
  for (int i = 0; i < rows; i++)
    for (int r = 1; r < m; r++) {
      double best = 1.0;
      for (int row = 0; row < m; row++) best += data[r - 1] * 0.5;
      z[i][r] += best;
    }
})";
  PipelineOptions thorough = options(rows, nullptr);
  thorough.thorough = true;
  EXPECT_THAT(said(transform(thorough)), Not(HasSubstr("validation failed")));
}
