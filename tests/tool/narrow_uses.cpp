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

TEST_F(Tool, KeepsSixteenBitsWhereTheyAreNumbers) {
  const auto done = run({write("a.cpp", scans)});
  EXPECT_NE(done.output.find("y[i] += y[i - 1] * x[i];"), std::string::npos) << done.output;
}
