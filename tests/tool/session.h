// What the tests of the command line share: a scratch directory, and one run of the tool in it.
#pragma once

#include "polymend/run.h"

#include <gtest/gtest.h>

#include <filesystem>

class Tool : public testing::Test {
protected:
  polymend::ScratchDirectory scratch;

  /// Writes a file into the scratch directory and returns its path.
  std::string write(const std::string &name, const std::string &text) const {
    const auto failure = polymend::replaceFile(scratch.file(name), text);
    EXPECT_FALSE(failure) << failure->reason;
    return scratch.file(name);
  }

  /// Runs the tool; a crash or a time-out fails the test.
  static polymend::Execution run(std::vector<std::string> words) {
    words.insert(words.begin(), POLYMEND_TOOL);
    const auto done = polymend::execute({words, std::chrono::minutes(5)});
    EXPECT_TRUE(done) << done.refusal().reason;
    EXPECT_FALSE(done->timedOut);
    EXPECT_LT(done->exitCode, 128) << done->error;
    return *done;
  }

  bool exists(const std::string &name) const { return std::filesystem::exists(scratch.file(name)); }
};

/// Row sums of exponentials: two loops that a maximum keeps apart.
inline const char *const logSum = R"(#include <cmath>
void f(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY;
    for (int j = 0; j < m; j++)
      top = std::fmax(top, x[i * m + j]);
    float sum = 0.0f;
    for (int j = 0; j < m; j++)
      sum += std::exp(x[i * m + j] - top);
    y[i] = top + std::log(sum);
  }
}
)";

/// A sum that no correction can mend.
inline const char *const refused = R"(#include <cmath>
void f(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY;
    for (int j = 0; j < m; j++)
      top = std::fmax(top, x[i * m + j]);
    float sum = 0.0f;
    for (int j = 0; j < m; j++)
      sum += 1.0f / (1.0f + std::exp(top - x[i * m + j]));
    y[i] = sum;
  }
}
)";
