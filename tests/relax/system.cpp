// Functions as systems of equations: which reductions they hold, over which domains, what they start from, and that the
// ways in which a person may write the same thing give the same system.
#include "../compilation.h"

#include <isl/set.h>

using namespace polymend;
using namespace polymend::tests;

namespace {

const char *const head = "#include <cmath>\n#include <algorithm>\n";

int reductions(const System &system) {
  return static_cast<int>(std::count_if(system.equations.begin(), system.equations.end(),
                                        [](const Equation &e) { return e.monoid.has_value(); }));
}

isl::set unnamed(const isl::set &set) { return isl::manage(isl_set_reset_tuple_id(set.copy())); }

} // namespace

TEST(System, HasOneReductionPerAccumulator) {
  const auto t = analyse(std::string(head) + R"(void f(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
      float top = -INFINITY, sum = 0;
      for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j]);
      for (int j = 0; j < m; j++) sum += std::exp(x[i * m + j] - top);
      y[i] = sum;
    } })");
  ASSERT_TRUE(t.relaxed().system);
  EXPECT_EQ(reductions(t.system()), 2);
  const int top = t.equation("top", true);
  ASSERT_GE(top, 0);
  const Equation &e = t.system().equations[static_cast<std::size_t>(top)];
  EXPECT_EQ(e.monoid, Monoid::Max);
  EXPECT_FALSE(e.comparison);
  EXPECT_EQ(e.keys, 1U);
  EXPECT_TRUE(unnamed(e.domain).is_equal(setOf(t, "[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m }")));
  EXPECT_TRUE(unnamed(e.keyDomain).is_equal(setOf(t, "[n, m] -> { [i] : 0 <= i < n }")))
      << "rows are defined where the range is empty too";
}

TEST(System, KeepsTheDomainOfAMask) {
  const auto t = analyse(std::string(head) + R"(void f(int n, const float s[64][64], float *y) {
    for (int i = 0; i < n; i++) {
      float sum = 0;
      for (int j = 0; j < n; j++) if (j <= i && j + 5 > i) sum += s[i][j];
      y[i] = sum;
    } })");
  const int sum = t.equation("sum", true);
  ASSERT_GE(sum, 0);
  EXPECT_TRUE(unnamed(t.system().equations[static_cast<std::size_t>(sum)].domain)
                  .is_equal(setOf(t, "[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i and j > i - 5 }")));
}

TEST(System, SubstitutesStoredWeights) {
  const auto t = analyse(textOf("inputs/attention_stored.cpp"));
  ASSERT_TRUE(t.relaxed().system);
  EXPECT_EQ(reductions(t.system()), 4) << "scores, maximum, sum, weighted sum";
  EXPECT_EQ(t.relaxed().mended.size(), 2U);
}

TEST(System, MergesRecomputedScores) {
  const auto stored = analyse(textOf("inputs/attention_stored.cpp")),
             again = analyse(textOf("inputs/attention_recompute.cpp"));
  ASSERT_TRUE(again.relaxed().system);
  EXPECT_EQ(reductions(again.system()), reductions(stored.system()));
  EXPECT_EQ(again.relaxed().mended.size(), 2U);
}

TEST(System, KnowsAReductionThatReadsItsAccumulatorTwice) {
  const auto t = analyse(std::string(head) + R"(void f(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
      float top = -INFINITY, sum = 0;
      for (int j = 0; j < m; j++) top = x[i * m + j] >= top ? x[i * m + j] : top;
      for (int j = 0; j < m; j++) if (x[i * m + j] > 0) sum += std::exp(x[i * m + j] - top);
      y[i] = sum;
    } })");
  ASSERT_TRUE(t.relaxed().system) << t.relaxed().why.reason;
  EXPECT_EQ(reductions(t.system()), 2);
  EXPECT_EQ(t.relaxed().mended.size(), 1U);
}

TEST(System, IsAbsentForARecurrence) {
  const auto t = analyse("void f(int n, const double *x, double *y) { double s = 0; for (int i = 0; i < n; i++) { s += "
                         "x[i]; y[i] = s; } }");
  EXPECT_FALSE(t.relaxed().system);
  EXPECT_NE(t.relaxed().why.reason.find("recurrence"), std::string::npos) << t.relaxed().why.reason;
  EXPECT_TRUE(t.relaxed().why.where.valid());
}

TEST(System, IsAbsentForReversedSumsInStrictMode) {
  const auto t = analyse("void f(int n, const double *x, double *y) { double s = 0; for (int i = n - 1; i >= 0; i--) s "
                         "+= x[i]; y[0] = s; }");
  EXPECT_TRUE(relax(*t.trace.scop, *t.trace.dependences, {RelaxMode::Auto, true}).system);
  EXPECT_FALSE(relax(*t.trace.scop, *t.trace.dependences, {RelaxMode::Auto, false}).system);
}

/// A gather from a computed array asks for nothing that always holds.
TEST(System, ChoosesTheElementThatAGatherReads) {
  const auto t = analyse(std::string(head) + R"(void f(int n, int m, const int *t, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
      float z[8][64];
      for (int a = 0; a < 8; a++)
        for (int j = 0; j < 64; j++) {
          float s = 0;
          for (int k = 0; k < m; k++) s += x[((i * 8 + a) * m + k) * 64 + j];
          z[a][j] = s;
        }
      for (int a = 0; a < 8; a++) {
        float l = 0;
        for (int j = 0; j < 64; j++) l += std::exp(z[a][j]);
        y[i * 8 + a] = z[a][t[i]] / l;
      }
    } })");
  int comparisons = 0, gathers = 0;
  for (const Equation &e : t.system().equations) {
    if (e.name.find("_at") == std::string::npos) continue;
    ++gathers;
    visit(e.value, [&](const Expr &node) { comparisons += node.op() == Op::Eq; });
  }
  EXPECT_EQ(gathers, 1);
  EXPECT_EQ(comparisons, 1);
}

/// Where the loops around a sum leave one turn of a loop for each row, chosen by a remainder, the sum has the rows that
/// begin it and no others.
TEST(System, HasTheRowsThatBeginASum) {
  const auto t = analyse(R"(void f(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
      float s = 0;
      for (int j = 0; j < 2; j++)
        if (j == i % 2)
          for (int k = 0; k < m; k++) s += x[i * m + k] * (float)(j + 1);
      y[i] = s;
    } })");
  const int sum = t.equation("s", true);
  ASSERT_GE(sum, 0);
  const Equation &e = t.system().equations[static_cast<std::size_t>(sum)];
  EXPECT_EQ(e.keys, 1U);
  EXPECT_TRUE(unnamed(e.keyDomain).is_subset(setOf(t, "[n, m] -> { [i] : 0 <= i < n }")));
}

/// A sum whose rows but one nobody reads, and which adds nothing in that one, stays as it is: there is no element whose
/// place the row could say.
TEST(System, KeepsTheRowsOfASumThatAddsNothingWhereItIsRead) {
  const auto t = analyse(R"(void f(int n, const float *x, float *y) {
    float a[64];
    for (int i = 0; i < 64; i++) {
      float s = 0;
      for (int j = 0; j < i; j++) s += x[i * n + j];
      a[i] = s;
    }
    y[0] = a[0];
  })");
  const int sum = t.equation("s", true);
  ASSERT_GE(sum, 0);
  const Equation &e = t.system().equations[static_cast<std::size_t>(sum)];
  EXPECT_EQ(e.keys, 1U);
  EXPECT_TRUE(unnamed(e.domain).is_equal(setOf(t, "[n] -> { [i, j] : 0 <= j < i <= 63 }")));
}
