// Which chunks of a loop run.
#include "../compilation.h"

#include "polymend/machine.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The tile program of a function for a machine, as text.
std::string lowered(const std::string &function, const char *machine) {
  LowerOptions options;
  options.machine = *machineNamed(machine);
  AnalyseOptions how;
  how.host = options.machine->isHost;
  const auto program = analyse("#include <algorithm>\n" + function, how).lowered(options);
  EXPECT_TRUE(program) << (program ? "" : program.refusal().reason);
  return program ? writeText(*program) : "";
}

std::string gathered(const std::string &start, const std::string &step) {
  return "bool f(int n, const float *x) {\n  bool all = " + start + ";\n" +
         "  for (int i = 0; i < n; i++) all = " + step + ";\n  return all;\n}\n";
}

} // namespace

TEST(Chunks, NoneRunsWhereALoopThatBeginsWithinOneHasNoTurn) {
  const auto sums = [](const std::string &low) {
    return lowered("void f(int n, int lo, int hi, const float *x, float *y) {\n  for (int i = 0; i < n; i++) {\n" +
                       std::string("    float s = 0;\n    for (int j = ") + low +
                       "; j < std::min(hi, n); j++) s += x[i * n + j];\n    y[i] = s;\n  }\n}\n",
                   "cpu");
  };
  EXPECT_THAT(sums("std::max(lo, 0)"), HasSubstr("lo + 1 <= hi"));
  EXPECT_THAT(sums("0"), Not(HasSubstr("1 <= hi")));
}

TEST(Chunks, NoneRunsOnAHostOnceATruthIsDecided) {
  EXPECT_THAT(lowered(gathered("true", "all && x[i] < 2"), "cpu"), HasSubstr("if (all[] != 0:i32)"));
  EXPECT_THAT(lowered(gathered("false", "all || x[i] < 2"), "cpu"), HasSubstr("if (all[] != 1:i32)"));
  EXPECT_THAT(lowered(gathered("true", "all && x[i] < 2"), "sm_90a"), Not(HasSubstr("if (all[]")));
  EXPECT_THAT(lowered("int f(int n, const int *x) {\n  int all = 1;\n  for (int i = 0; i < n; i++) all = std::min(all, "
                      "x[i]);\n  return all;\n}\n",
                      "cpu"),
              Not(HasSubstr("if (all[]")));
}

namespace {

/// A maximum over the points that `leaves` does not leave out, a sum mended by it over those that `second` does not.
std::string masked(const std::string &leaves, const std::string &second) {
  return lowered("#include <cmath>\nvoid f(int n, const float *g, const float *x, float *y) {\n"
                 "  for (int i = 0; i < n; i++) {\n    float m = -INFINITY, l = 0;\n"
                 "    for (int j = 0; j < n; j++) {\n      if (" +
                     leaves + ") continue;\n      m = std::fmax(m, x[i * n + j]);\n    }\n" +
                     "    for (int j = 0; j < n; j++) {\n      if (" + second +
                     ") continue;\n      l += std::exp(x[i * n + j] - m);\n    }\n    y[i] = l;\n  }\n}\n",
                 "cpu");
}

} // namespace

TEST(Chunks, ArePassedOverWhereDataLeaveOutAllOfTheirPoints) {
  const auto asked = HasSubstr("if (takes_part[] != 0:i32)");
  EXPECT_THAT(masked("g[i] != g[j]", "g[i] != g[j]"), asked);
  EXPECT_THAT(masked("j > i || g[i] != g[j]", "j > i || g[i] != g[j]"), asked);
  EXPECT_THAT(masked("g[j] == 0", "g[j] == 0 || g[i] == 0"), asked) << "what both are left out for";
  EXPECT_THAT(masked("g[i] != g[j]", "g[j] < 1"), Not(asked)) << "what one leaves out the other takes";
  EXPECT_THAT(masked("j > i || g[i] != g[j]", "g[i] != g[j]"), Not(asked)) << "they differ in their points";
  EXPECT_THAT(lowered("void f(int n, const float *g, const float *x, float *y) {\n  for (int i = 0; i < n; i++) {\n"
                      "    float s = 0;\n    for (int j = 0; j < n; j++)\n      if (g[i] == g[j]) s += x[i * n + j];\n"
                      "    y[i] = s;\n  }\n}\n",
                      "cpu"),
              Not(asked))
      << "an addition costs no more than to ask";
}
