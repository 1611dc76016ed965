// Sums by turns: what the turns of a loop add up is added up for each turn first, where nothing else keeps their order.
#include "../compilation.h"

#include "polymend/partial_sums.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

/// How the function's body reads so; empty: it stays.
std::string byTurns(const std::string &text) {
  const auto t = analyse(text);
  const auto other = withPartialSums(t.trace.function, *t.trace.scop, *t.trace.dependences);
  if (!other) return "";
  Nest nest;
  nest.functions = {*other};
  const std::string all = dump(nest);
  return all.substr(all.find("  for "));
}

std::string sweep(const std::string &statements) {
  return "double f(int n, double (*p)[99], const double *z) { double sum = 0; for (int i = 1; i < n; i++) for (int j = "
         "0; j < 99; j++) { " +
         statements + " } return sum; }";
}

} // namespace

TEST(PartialSums, AddsUpWhatEachTurnChanges) {
  EXPECT_EQ(byTurns(sweep("p[i][j] *= z[j]; sum += p[i][j];")), "  for i = 1 to n\n"
                                                                "    sum_part[i - 1] = 0.0\n"
                                                                "    for j = 0 to 99\n"
                                                                "      p[i][j] = p[i][j] * z[j]\n"
                                                                "      sum_part[i - 1] = sum_part[i - 1] + p[i][j]\n"
                                                                "  for i_joined = 1 to n\n"
                                                                "    sum = sum + sum_part[i_joined - 1]\n"
                                                                "  return = sum\n");
}

TEST(PartialSums, TakesTheLargestOfTheLargest) {
  const std::string text = byTurns(sweep("p[i][j] *= z[j]; sum = __builtin_fmax(sum, p[i][j]);"));
  EXPECT_NE(text.find("sum_part[i - 1] = -INFINITY"), std::string::npos) << text;
  EXPECT_NE(text.find("sum = max(sum, sum_part[i_joined - 1])"), std::string::npos) << text;
}

TEST(PartialSums, LeavesWhatTurnsHaveOfOneAnother) {
  EXPECT_EQ(byTurns(sweep("p[i][j] = p[i - 1][j] * z[j]; sum += p[i][j];")), "");
  EXPECT_EQ(byTurns(sweep("p[i][j] *= z[j]; sum += p[i][j]; p[i][j] += sum;")), "");
  EXPECT_EQ(byTurns(sweep("p[i][j] *= z[j]; sum = 0.5 * sum + p[i][j];")), "");
  EXPECT_EQ(byTurns(sweep("p[i][j] *= z[j]; sum += p[i][j]; sum = __builtin_fmax(sum, 0.0);")), "");
}
