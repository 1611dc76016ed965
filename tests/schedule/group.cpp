// Which equations share a loop, which run in a later phase of the same rows, and that verdicts follow the plan.
#include "../compilation.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

const char *const logSum = R"(#include <cmath>
void f(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY, sum = 0;
    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j]);
    for (int j = 0; j < m; j++) sum += std::exp(x[i * m + j] - top);
    y[i] = top + std::log(sum);
  } })";

std::pair<int, int> seatOf(const Analysed &t, int equation) {
  for (std::size_t k = 0; k < t.plan().kernels.size(); ++k)
    for (std::size_t p = 0; p < t.plan().kernels[k].phases.size(); ++p)
      for (const Member &m : t.plan().kernels[k].phases[p].members)
        if (m.equation == equation) return {static_cast<int>(k), static_cast<int>(p)};
  return {-1, -1};
}

} // namespace

TEST(Group, PutsAMendedReductionIntoTheLoopOfItsProducer) {
  const auto t = analyse(logSum);
  const int top = t.equation("top", true), sum = t.equation("sum", true), y = t.equation("y", false);
  ASSERT_GE(std::min({top, sum, y}), 0);
  EXPECT_EQ(seatOf(t, top), seatOf(t, sum));
  EXPECT_EQ(seatOf(t, y).first, seatOf(t, top).first);
  EXPECT_GT(seatOf(t, y).second, seatOf(t, top).second);
}

TEST(Group, KeepsPhasesApartWithoutACorrection) {
  const auto t = analyse(logSum, {RelaxMode::None, {}});
  EXPECT_NE(seatOf(t, t.equation("top", true)), seatOf(t, t.equation("sum", true)));
}

TEST(Group, ComputesScoresInsideTheLoop) {
  const auto t = analyse(textOf("inputs/attention_flat.cpp"));
  ASSERT_FALSE(t.plan().order);
  ASSERT_EQ(t.plan().kernels.size(), 1U);
  int inner = 0, mended = 0;
  for (const Member &m : t.plan().kernels[0].phases[0].members) {
    inner += m.role == Member::Role::Inner;
    mended += m.mended >= 0;
  }
  EXPECT_EQ(inner, 1);
  EXPECT_EQ(mended, 2);
}

/// The second reader waits for all rows of the first, so that it runs in a kernel of its own: scores that both read are
/// computed before either.
TEST(Group, ComputesScoresThatTwoKernelsReadOnceBeforeThem) {
  const auto t = analyse(R"(#include <cmath>
void f(const float *q, const float *k, float *y) {
  float s[128][128], all = 0;
  for (int i = 0; i < 128; i++)
    for (int j = 0; j < 128; j++) {
      float dot = 0;
      for (int d = 0; d < 16; d++) dot += q[i * 16 + d] * k[j * 16 + d];
      s[i][j] = dot;
    }
  for (int i = 0; i < 128; i++) {
    float l = 0;
    for (int j = 0; j < 128; j++) l += std::exp(s[i][j]);
    all += l;
  }
  for (int i = 0; i < 128; i++) {
    float mean = 0;
    for (int j = 0; j < 128; j++) mean += s[i][j] * all;
    y[i] = mean;
  }
})");
  const int dot = t.equation("dot", true), l = t.equation("l", true), mean = t.equation("mean", true);
  ASSERT_GE(std::min({dot, l, mean}), 0);
  EXPECT_LT(seatOf(t, dot).first, seatOf(t, l).first);
  EXPECT_LT(seatOf(t, l).first, seatOf(t, mean).first);
}

TEST(Group, KeepsTheOrderOfAShiftInPlace) {
  const auto t = analyse("void f(int n, float *x) { for (int i = 0; i + 1 < n; i++) x[i] = x[i] + x[i + 1]; }");
  EXPECT_TRUE(t.plan().order);
  EXPECT_NE(t.plan().why.find("in place"), std::string::npos) << t.plan().why;
}

/// Sums of rows below, in place: the sums lie in memory of their own until no row is needed any more.
TEST(Group, CopiesLateWhatOthersStillRead) {
  const auto t =
      analyse("void f(int m, int n, const double *a, double *b) { for (int i = 0; i < m; i++) for (int j = 0; "
              "j < n; j++) for (int k = i + 1; k < m; k++) b[i * n + j] += a[k * m + i] * b[k * n + j]; }");
  ASSERT_FALSE(t.plan().order) << t.plan().why;
  const auto &equations = t.system().equations;
  const auto late = std::find_if(equations.begin(), equations.end(), [](const Equation &e) { return e.late; });
  ASSERT_NE(late, equations.end());
  EXPECT_EQ(late->stores.size(), 1U);
  const auto number = static_cast<int>(late - equations.begin());
  EXPECT_EQ(seatOf(t, number).first, static_cast<int>(t.plan().kernels.size()) - 1);
  EXPECT_GE(t.plan().kernels.size(), 2U);
}

TEST(Group, AddsToWhatAnArrayHolds) {
  const auto t = analyse("void f(int n, const float a[64][64], float *x) { for (int i = 0; i < n; i++) for (int j = 0; "
                         "j < n; j++) x[i] += a[i][j]; }");
  EXPECT_FALSE(t.plan().order) << t.plan().why;
}

/// What a loop computes for every value of a row may have as many columns as a tile, and no more.
TEST(Group, SharesALoopWithAsManyColumnsAsATile) {
  const auto kernels = [](const std::string &a, const std::string &b) {
    const auto t =
        analyse("void f(int n, const float x[64][64], const float v[64][" + a + "][" + b + "], float y[64][" + a +
                "][" + b + "]) {\n  for (int i = 0; i < n; i++) {\n    float p[64], l = 0;\n" + R"(
    for (int j = 0; j < 64; j++) {
      float t = 0;
      for (int e = 0; e < 64; e++) t += x[i][e] * x[j][e];
      p[j] = t * t;
      l += p[j];
    }
    for (int c = 0; c < )" +
                a + "; c++)\n      for (int d = 0; d < " + b + R"(; d++) {
        float s = 0;
        for (int j = 0; j < 64; j++) s += p[j] * v[j][c][d];
        y[i][c][d] = s / l;
      }
  } })");
    EXPECT_FALSE(t.plan().order);
    return seatOf(t, t.equation("l", true)) == seatOf(t, t.equation("s", true));
  };
  EXPECT_TRUE(kernels("4", "8"));
  EXPECT_TRUE(kernels("16", "32"));
  EXPECT_FALSE(kernels("16", "33"));
}

/// Maps whose elements lie beside each other are one kernel, on a GPU too: apart, each would move every line of memory.
TEST(Group, MapsThatShareLinesAreOneKernel) {
  const auto kernels = [](const std::string &statements, bool host) {
    ScheduleOptions options;
    options.host = host;
    const auto t = analyse("void f(int n, int m, const float *x, float *y, float *z) { for (int i = 0; i < n; i++) { " +
                           statements + " } }");
    return schedule(*t.trace.scop, *t.trace.dependences, t.relaxed(), options).kernels.size();
  };
  for (const bool host : {false, true}) {
    EXPECT_EQ(kernels("y[3 * i] = x[3 * i + 2]; y[3 * i + 1] = 1; y[3 * i + 2] = x[3 * i];", host), 1);
    EXPECT_EQ(kernels("y[i] = x[2 * i]; z[i] = x[2 * i + 1];", host), 1);
    EXPECT_EQ(kernels("y[40 * i] = 1; y[40 * i + 20] = 2;", host), 2);
    EXPECT_EQ(kernels("y[2 * i] = 1; z[2 * i + 1] = 2;", host), 2);
  }
}

TEST(Settled, RefusesACorrectionThatNoPhaseApplies) {
  const auto t = analyse(logSum);
  EXPECT_EQ(settled(t.relaxed(), t.plan()).verdicts.size(), t.relaxed().verdicts.size());
  Schedule torn = t.plan();
  for (KernelPlan &plan : torn.kernels)
    for (Phase &phase : plan.phases)
      for (Member &member : phase.members) member.mended = -1;
  int corrected = 0, refused = 0;
  for (const EdgeVerdict &verdict : settled(t.relaxed(), t.plan()).verdicts)
    corrected += verdict.verdict == Verdict::Corrected;
  for (const EdgeVerdict &verdict : settled(t.relaxed(), torn).verdicts) {
    EXPECT_NE(verdict.verdict, Verdict::Corrected);
    refused += verdict.verdict == Verdict::Refused && verdict.reason.find("sum") != std::string::npos;
  }
  EXPECT_GT(corrected, 0);
  EXPECT_EQ(refused, corrected);
}
