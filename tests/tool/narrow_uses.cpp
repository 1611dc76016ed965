// Code that stays as it is, where 16-bit floats become classes: its arithmetic is written in float.
#include "session.h"

namespace {

const char *const scans = R"(void f(int n, const float *x, _Float16 *y, const __bf16 *w) {
  for (int i = 1; i < n; i++) {
    y[i] += y[i - 1] * x[i];
    y[i] -= float(w[i]) + 1.0;
    _Float16 same = y[i];
    y[i] = -same;
  }
}
)";

} // namespace

TEST_F(Tool, WritesFloatsWhereSixteenBitsAreAClass) {
  const auto done = run({write("a.cpp", scans), "--target=cuda"});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  for (const char *line : {"y[i] = static_cast<float>(y[i]) + (static_cast<float>(y[i - 1]) * x[i]);",
                           "y[i] = static_cast<double>(y[i]) - (float(w[i]) + 1.0);",
                           "__half same = static_cast<float>(y[i]);", "y[i] = -static_cast<float>(same);"})
    EXPECT_NE(done.output.find(line), std::string::npos) << line << "\n" << done.output;
}

TEST_F(Tool, AddsInTheSourcesTypeToWhatAViewReturns) {
  const auto done = run({write("a.cpp", R"(struct View {
  _Float16 *data;
  int pitch;
  _Float16 &operator()(int line, int place) const { return data[line * pitch + place]; }
};
void f(int n, _Float16 *y, const double *x) {
  const View by_n{y, n};
  for (int i = 1; i < n; i++) {
    by_n(i, i) += x[i];
    y[i] = y[i - 1] + x[i];
  }
}
)"),
                         "--target=cuda"});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  for (const char *part : {"{ return target = static_cast<double>(target) + value; }(", "by_n(i, i)", "x[i]);"})
    EXPECT_NE(done.output.find(part), std::string::npos) << "a half would be added\n" << done.output;
}

TEST_F(Tool, SaysThatSumsInSixteenBitsKeepTheirOrder) {
  const auto done =
      run({write("a.cpp", R"(void f(int rows, int columns, _Float16 *sums, const _Float16 *a, const _Float16 *b) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) sums[i] += (float)a[i * columns + j] * (float)b[j] - 0.1f;
}
)")});
  EXPECT_NE(done.error.find("no reduction: each of its steps is rounded to 16 bits"), std::string::npos) << done.error;
  EXPECT_NE(done.error.find("1 kernel in parallel"), std::string::npos) << done.error;
}

TEST_F(Tool, KeepsSixteenBitsWhereTheyAreNumbers) {
  const auto done = run({write("a.cpp", scans)});
  EXPECT_NE(done.output.find("y[i] += y[i - 1] * x[i];"), std::string::npos) << done.output;
}
