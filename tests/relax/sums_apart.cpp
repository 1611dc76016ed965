// Sums of a loop's turns in a loop of their own: what a turn computes for them is kept, unless turns have something of
// one another besides.
#include "../compilation.h"

#include "polymend/dead_stores.h"
#include "polymend/sums_apart.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

using Rewriting = std::optional<Function>(const Function &, const Scop &, const Dependences &);

/// How the function's body reads as it is rewritten; empty: it stays.
std::string rewritten(const std::string &text, Rewriting &rewriting) {
  const auto t = analyse(text);
  const auto other = rewriting(t.trace.function, *t.trace.scop, *t.trace.dependences);
  if (!other) return "";
  Nest nest;
  nest.functions = {*other};
  const std::string all = dump(nest);
  return all.substr(all.find("  for "));
}

} // namespace

TEST(SumsApart, KeepsWhatEachTurnHasForThem) {
  EXPECT_EQ(rewritten(R"(double f(int n, int m, const double *z) {
    double sum = 0;
    for (int p = 0; p < n; p++) {
      double x = 1;
      for (int i = 0; i < m; i++) x = 0.5 * x + z[p * m + i];
      sum += x * x;
    }
    return sum; })",
                      withSumsApart),
            "  for p = 0 to n\n"
            "    x_of_each[p] = 1.0\n"
            "    for i = 0 to m\n"
            "      x_of_each[p] = 0.5 * x_of_each[p] + z[p * m + i]\n"
            "  for p_sum = 0 to n\n"
            "    sum = sum + x_of_each[p_sum] * x_of_each[p_sum]\n"
            "  return = sum\n");
}

TEST(SumsApart, CountsTurnsFromTheFirst) {
  const std::string text = rewritten(R"(double f(int k, int n, const double *z) {
    double sum = 0;
    for (int p = k; p < n; p++) {
      double x = 1;
      for (int i = 0; i < 9; i++) x = 0.5 * x + z[p * 9 + i];
      sum += x;
    }
    return sum; })",
                                     withSumsApart);
  EXPECT_NE(text.find("sum = sum + x_of_each[p_sum - k]"), std::string::npos) << text;
}

TEST(SumsApart, LeavesASumThatATurnReads) {
  EXPECT_EQ(rewritten(R"(double f(int n, const double *z, double *y) {
    double sum = 0;
    for (int p = 0; p < n; p++) {
      y[p] = sum;
      sum += z[p];
    }
    return sum; })",
                      withSumsApart),
            "");
}

TEST(SumsApart, LeavesANumberOfThePreviousTurn) {
  EXPECT_EQ(rewritten(R"(double f(int n, const double *z) {
    double sum = 0, last = 0;
    for (int p = 0; p < n; p++) {
      sum += last;
      last = z[p] * z[p];
    }
    return sum; })",
                      withSumsApart),
            "");
}

TEST(SumsApart, LeavesAnArrayThatTheNextTurnWritesAgain) {
  EXPECT_EQ(rewritten(R"(double f(int n, const double *z) {
    double sum = 0, row[4];
    for (int p = 0; p < n; p++) {
      for (int k = 0; k < 4; k++) row[k] = z[4 * p + k];
      sum += row[0] * row[3];
    }
    return sum; })",
                      withSumsApart),
            "");
}

TEST(DeadStores, AreWhatIsWrittenAgainBeforeItIsRead) {
  EXPECT_EQ(rewritten(R"(void f(int n, int m, const double *z, double *y) {
    double s[64];
    for (int i = 0; i < 64; i++) s[i] = 0;
    for (int p = 0; p < n; p++) {
      for (int i = 0; i < 64; i++) s[i] = z[p];
      for (int k = 0; k < m; k++)
        for (int i = 0; i < 64; i++) s[i] = 0.5 * s[i] + z[k];
      for (int i = 0; i < 64; i++) y[64 * p + i] = s[i];
    } })",
                      withoutDeadStores)
                .find("s[i] = 0.0"),
            std::string::npos);
}

TEST(DeadStores, AreNoneWhereOneOfThemIsRead) {
  EXPECT_EQ(rewritten(R"(void f(int n, const double *z, double *y) {
    double s[64];
    for (int i = 0; i < 64; i++) s[i] = 0;
    for (int i = 1; i < 64; i++) s[i] = z[i];
    for (int p = 0; p < n; p++) y[p] = s[p % 64]; })",
                      withoutDeadStores),
            "");
}
