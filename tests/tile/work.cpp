// The estimate of a program's work: the operations of a statement at each point of the loops around it.
#include "../compilation.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;

namespace {

/// The work of loops over 1000 rows around `loop`, which stands for the loops within them.
double workOf(const std::string &loop) {
  const Analysed analysed = analyse("#include <algorithm>\nvoid f(const double x[1000][1000], double y[1000][1000]) {\n"
                                    "  for (int i = 0; i < 1000; i++)\n    " +
                                    loop + " y[i][j] = x[j][i] * 2;\n}");
  const auto program = analysed.lowered();
  EXPECT_TRUE(program);
  if (!program || !program->work || program->work.op() != Op::Real) return -1;
  return program->work->real;
}

} // namespace

TEST(Work, CountsATriangleAsHalf) {
  const double box = workOf("for (int j = 0; j < 1000; j++)");
  EXPECT_GT(box, 1e6);
  EXPECT_EQ(workOf("for (int j = 0; j <= i; j++)"), box / 2);
  EXPECT_EQ(workOf("for (int j = i; j < 1000; j++)"), box / 2);
}

TEST(Work, CountsAWindowThatMovesAsItsLength) {
  const double column = workOf("for (int j = 3; j < 4; j++)");
  EXPECT_EQ(workOf("for (int j = std::max(0, i - 2); j < std::min(1000, i + 3); j++)"), 5 * column);
}

TEST(Work, CountsAllOfALoopInWhichAConditionChooses) {
  const double box = workOf("for (int j = 0; j < 1000; j++)");
  EXPECT_EQ(workOf("for (int j = 0; j < 1000; j++) if (j != i)"), box);
  EXPECT_EQ(workOf("for (int j = 0; j < 1000; j++) if (j == i)"), box);
}

/// A size may be less than a long window.
TEST(Work, CountsAtMostTheSizeForALongWindow) {
  const auto text = [](const std::string &first) {
    const Analysed analysed = analyse("#include <algorithm>\nvoid f(int n, const double *x, double y[1000][1000]) {\n"
                                      "  for (int i = 0; i < n; i++)\n    for (int j = std::max(0, i - " +
                                      first + "); j <= i; j++) y[i][j] = x[j] * 2;\n}");
    const auto program = analysed.lowered();
    return program ? show(program->work) : "";
  };
  EXPECT_THAT(text("255"), testing::HasSubstr("256"));
  EXPECT_THAT(text("255"), testing::HasSubstr("min("));
  EXPECT_THAT(text("4"), testing::Not(testing::HasSubstr("min(")));
}

/// What a length is on average, where its ends are quotients of the loops around.
TEST(Work, CountsWindowsBetweenQuotientsByThem) {
  const auto text = [](const std::string &first, const std::string &limit) {
    const Analysed analysed = analyse(
        "void f(int n, int m, const double *x, double *y) {\n  for (int i = 0; i < m; i++) {\n    double s = 0;\n"
        "    for (int j = " +
        first + "; j < " + limit + "; j++) s += x[j];\n    y[i] = s;\n  }\n}");
    const auto program = analysed.lowered();
    return program ? show(program->work) : "";
  };
  EXPECT_THAT(text("i * n / m", "((i + 1) * n + m - 1) / m"),
              testing::HasSubstr("(double(m) + double(n) - 1.0) / double(m)"));
  EXPECT_THAT(text("i * i / m", "(i + 1) * (i + 1) / m"), testing::Not(testing::HasSubstr("/"))) << "nobody knows";
}

/// Threads that have just run start again in a quarter of the time.
TEST(Work, CountsTheStartsOfThreads) {
  const auto starts = [](const std::string &function) {
    AnalyseOptions how;
    how.host = true;
    const auto program = analyse(function, how).lowered();
    return program ? show(program->starts) : "";
  };
  EXPECT_EQ(starts("void f(int n, float *x) {\n  for (int i = 0; i < n; i++) x[i] *= 2;\n}"), "1");
  EXPECT_EQ(starts("void f(int n, float *x, float *s) {\n  float all = 0;\n  for (int i = 0; i < n; i++) all += x[i];\n"
                   "  *s = all;\n  for (int i = 0; i < n; i++) x[i] /= all;\n}"),
            "3");
  EXPECT_THAT(starts("void f(int steps, int n, double *a, double *b) {\n  for (int t = 0; t < steps; t++) {\n"
                     "    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];\n"
                     "    for (int i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i + 1];\n  }\n}"),
              testing::AllOf(testing::StartsWith("1.0 + "), testing::EndsWith("/ 4.0"), testing::HasSubstr("steps")));
}

/// Compilers reorder no floats.
TEST(Work, OfASumOfIntegersIsDoneInVectors) {
  const auto sum = [](const std::string &type) {
    const auto program = analyse("void f(const " + type + " x[1000][1000], " + type + " y[1000]) {\n" +
                                 "  for (int i = 0; i < 1000; i++) {\n    " + type +
                                 " s = 0;\n    for (int j = 0; j < 1000; j++) s += x[i][j];\n    y[i] = s;\n  }\n}")
                             .lowered();
    EXPECT_TRUE(program && program->work && program->work.op() == Op::Real) << type;
    return program ? program->work->real : 0;
  };
  EXPECT_LT(sum("int"), sum("float") / 4);
}
