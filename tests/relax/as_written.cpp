// One value, one rounding: the states of corrections read what an extreme reduces, and what the source rounds, as the
// source computes it; the check of that finds states that do not.
#include "../compilation.h"

#include "polymend/uses.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

/// Scores that a row stores as `stored`, their maximum, the sum of their exponentials and a weighted mean.
std::string meanOf(const std::string &type, const std::string &stored, const std::string &score,
                   const std::string &weight = "std::exp((T)p[j] - top)") {
  return "#include <cmath>\nusing T = " + type +
         ";\nvoid f(int n, int m, int d, T c, const T *x, const T *v, T *y) {\n"
         "  for (int i = 0; i < n; i++) {\n    " +
         stored + " p[512];\n    T top = -INFINITY, l = 0, t = 0;\n" +
         "    for (int j = 0; j < m; j++) p[j] = " + score +
         ";\n    for (int j = 0; j < m; j++) top = std::fmax(top, (T)p[j]);\n"
         "    for (int j = 0; j < m; j++) l += " +
         weight + ";\n    for (int j = 0; j < m; j++) t += " + weight + " / l * v[j];\n    y[i] = t;\n  }\n}\n";
}

/// All states in one line, without the indices.
std::string statesOf(const Analysed &t) {
  std::string text;
  for (const Mended &m : t.relaxed().mended)
    for (const Expr &state : m.correction.state) text += show(state) + "; ";
  return text;
}

std::size_t count(const std::string &text, const std::string &part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

} // namespace

TEST(AsWritten, ReadsScoresAsTheyAreStored) {
  const auto t = analyse(meanOf("float", "_Float16", "(_Float16)x[i * m + j]"));
  ASSERT_EQ(t.relaxed().mended.size(), 2U);
  EXPECT_EQ(count(statesOf(t), "exp(float(_Float16(x[i]["), 2U) << statesOf(t);
  EXPECT_EQ(misreadings(t.relaxed()), std::vector<std::string>{});
}

TEST(AsWritten, ReadsFloatsThatAreSummedInDouble) {
  const auto t = analyse(meanOf("double", "float", "(float)(x[i * m + j] * c)"));
  ASSERT_EQ(t.relaxed().mended.size(), 2U);
  EXPECT_EQ(count(statesOf(t), "exp(double(float(x[i]["), 2U) << statesOf(t);
  EXPECT_EQ(misreadings(t.relaxed()), std::vector<std::string>{});
}

TEST(AsWritten, RoundsWeightsThatAreStoredInFloat) {
  const auto t = analyse(meanOf("double", "double", "x[i * m + j]", "(double)(float)std::exp(p[j] - top)"));
  ASSERT_EQ(t.relaxed().mended.size(), 2U);
  EXPECT_EQ(count(statesOf(t), "double(float(exp(x[i]["), 2U) << statesOf(t);
  EXPECT_EQ(misreadings(t.relaxed()), std::vector<std::string>{});
}

TEST(AsWritten, ScalesByTheReciprocalEverywhere) {
  const auto t = analyse(meanOf("float", "float", "x[i * m + j] * (1 / std::sqrt((float)d))"));
  ASSERT_EQ(t.relaxed().mended.size(), 2U);
  EXPECT_EQ(count(statesOf(t), " * (1.0 / sqrt(float(d))) - top["), 2U) << statesOf(t);
  EXPECT_EQ(misreadings(t.relaxed()), std::vector<std::string>{});
}

TEST(AsWritten, KeepsTheOrderOfASum) {
  const auto t = analyse(meanOf("float", "float", "v[j] - c * (float)(j - i) + x[i * m + j] / c"));
  ASSERT_EQ(t.relaxed().mended.size(), 2U);
  EXPECT_EQ(count(statesOf(t), "exp(v["), 2U) << statesOf(t);
  EXPECT_EQ(count(statesOf(t), "float(j"), 2U) << statesOf(t);
  EXPECT_EQ(misreadings(t.relaxed()), std::vector<std::string>{});
}

TEST(AsWritten, NamesTheRowAsTheExtremeDoes) {
  const auto t = analyse(meanOf("float", "float", "x[i * m + j] * (float)(i + 1)"));
  ASSERT_EQ(t.relaxed().mended.size(), 2U);
  EXPECT_EQ(count(statesOf(t), "float(i"), 2U) << statesOf(t);
  EXPECT_EQ(misreadings(t.relaxed()), std::vector<std::string>{});
}

/// What is rounded is known to be positive, so that its root and its quotients may be taken apart.
TEST(AsWritten, KnowsTheSignOfWhatIsRounded) {
  const auto t = analyse(
      meanOf("float", "_Float16", "(_Float16)std::fabs(x[i * m + j])", "std::sqrt((T)p[j]) * std::exp((T)p[j] - top)"));
  ASSERT_EQ(t.relaxed().mended.size(), 2U);
  EXPECT_EQ(count(statesOf(t), "sqrt(float(_Float16(abs("), 2U) << statesOf(t);
  EXPECT_EQ(misreadings(t.relaxed()), std::vector<std::string>{});
}

/// Nothing is known of the sign of what is rounded: its distance to a sum of squares is no difference.
TEST(AsWritten, KnowsNoSignOfWhatMayHaveBoth) {
  const auto t = analyse("#include <cmath>\nvoid f(int n, int m, const float *x, float *y) {\n"
                         "  for (int i = 0; i < n; i++) {\n    _Float16 p[512];\n    float r = 0, s = 0;\n"
                         "    for (int j = 0; j < m; j++) p[j] = (_Float16)x[i * m + j];\n"
                         "    for (int j = 0; j < m; j++) r += (float)p[j] * (float)p[j];\n"
                         "    for (int j = 0; j < m; j++) s += std::fabs((float)p[j] - r);\n"
                         "    y[i] = s;\n  }\n}\n");
  EXPECT_EQ(t.relaxed().mended.size(), 0U);
}

TEST(AsWritten, FindsAStateThatIsNot) {
  const auto t = analyse(meanOf("float", "_Float16", "(_Float16)(x[i * m + j] * c)"));
  ASSERT_EQ(t.relaxed().mended.size(), 2U);
  ASSERT_EQ(misreadings(t.relaxed()), std::vector<std::string>{});
  const auto changed = [&](const std::function<Expr(const Expr &)> &change) {
    Relaxed relaxed = t.relaxed();
    relaxed.mended[0].correction.state[0] = rewrite(relaxed.mended[0].correction.state[0], change);
    return misreadings(relaxed).size();
  };
  EXPECT_EQ(changed([](const Expr &e) { return e.op() == Op::Cast && isNarrow(e.type()) ? e.arg(0) : e; }), 1U);
  EXPECT_EQ(changed([](const Expr &e) {
              return e.op() == Op::Mul ? Expr::make(Op::Div, {e.arg(0), Expr::real(1) * e.arg(1)}) : e;
            }),
            1U);
  EXPECT_EQ(changed([](const Expr &e) { return e.op() == Op::Exp ? e * Expr::symbol("c", Type::Float32) : e; }), 1U);
}

TEST(AsWritten, TakesSumsAsTheSourceRoundsThem) {
  const auto t = analyse("#include <cmath>\nvoid f(int n, int m, const float *x, const float *w, float *y) {\n"
                         "  for (int i = 0; i < n; i++) {\n    float top = -INFINITY, s = 0;\n"
                         "    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j]);\n"
                         "    const float above = top + 1;\n"
                         "    for (int j = 0; j < m; j++) s -= (x[i * m + j] - above) * w[j];\n"
                         "    y[i] = s;\n  }\n}\n");
  ASSERT_EQ(t.relaxed().mended.size(), 1U);
  EXPECT_EQ(count(statesOf(t), " - (top[i] + 1.0)"), 1U) << statesOf(t);
}

TEST(AsWritten, KeepsWhatOverflowsAboutTheLastReferenceAlone) {
  const auto mended = [](const std::string &start, const std::string &extreme, const std::string &weight) {
    const auto t =
        analyse("#include <cmath>\nvoid f(int n, int m, float c, const float *x, const float *w, float *y) {\n"
                "  for (int i = 0; i < n; i++) {\n    float r = " +
                start + ", s = 0;\n    for (int j = 0; j < m; j++) r = " + extreme +
                "(r, x[i * m + j]);\n    for (int j = 0; j < m; j++) s += (float)(_Float16)(" + weight +
                " * w[j]);\n    y[i] = s;\n  }\n}\n");
    return t.relaxed().mended.size();
  };
  EXPECT_EQ(mended("-INFINITY", "std::fmax", "std::exp(x[i * m + j] - r)"), 1U);
  EXPECT_EQ(mended("INFINITY", "std::fmin", "std::exp(r - x[i * m + j])"), 1U);
  EXPECT_EQ(mended("INFINITY", "std::fmin", "std::exp(x[i * m + j] - r)"), 0U);
  EXPECT_EQ(mended("-INFINITY", "std::fmax", "std::exp((x[i * m + j] - r) * c)"), 0U);
}

/// What is held in 16 bits fits them, but not what it becomes by a factor that moved past the rounding; unless that is
/// its share of what it is part of.
TEST(AsWritten, KeepsWhatOverflowsByAFactor) {
  const auto mended = [](const std::string &start, const std::string &step, const std::string &rounded) {
    const auto t = analyse("#include <cmath>\nvoid f(int n, int m, float c, const _Float16 *x, float *y) {\n"
                           "  for (int i = 0; i < n; i++) {\n    float r = " +
                           start + ", s = 0;\n    for (int j = 0; j < m; j++) " + step +
                           ";\n    for (int j = 0; j < m; j++) s += " + rounded + ";\n    y[i] = s;\n  }\n}\n");
    return t.relaxed().mended.size();
  };
  const std::string value = "(float)x[i * m + j]";
  const auto largest = [&](const std::string &rounded) {
    return mended("-INFINITY", "r = std::fmax(r, " + value + ")", rounded);
  };
  EXPECT_EQ(largest("(float)(_Float16)(" + value + " * r)"), 0U);
  EXPECT_EQ(largest("(float)(__bf16)(" + value + " * r)"), 1U);
  EXPECT_EQ(largest(value + " * r"), 1U);
  const auto squares = [&](const std::string &rounded) {
    return mended("0", "r += " + value + " * " + value, rounded);
  };
  EXPECT_EQ(squares("(float)(_Float16)(" + value + " / std::sqrt(r + 1e-6f))"), 1U);
  EXPECT_EQ(squares("(float)(_Float16)(" + value + " / std::sqrt(r / (float)m + 1e-6f))"), 1U);
  EXPECT_EQ(squares("(float)(_Float16)(" + value + " / (r + 1e-6f))"), 1U);
  EXPECT_EQ(squares("(float)(_Float16)(" + value + " / (r + 1e-12f))"), 0U);
  EXPECT_EQ(squares("(float)(_Float16)(" + value + " / std::sqrt(r * c + 1e-6f))"), 0U);
}

/// A number that a maximum decides reads nothing that could be misread.
TEST(AsWritten, MisreadsNothingWhereNothingIsRead) {
  const auto t = analyse("#include <cmath>\nvoid f(int n, int m, double c, const double *x, double *y) {\n"
                         "  for (int i = 0; i < n; i++) {\n    double r = -INFINITY, s = 0;\n"
                         "    for (int j = 0; j < m; j++) if (x[i * m + j] * c > r) r = x[i * m + j] * c;\n"
                         "    for (int j = 0; j < m; j++) s += std::fmax(x[i * m + j] * c - r, 0.0);\n"
                         "    y[i] = s;\n  }\n}\n");
  ASSERT_EQ(t.relaxed().mended.size(), 1U);
  EXPECT_EQ(misreadings(t.relaxed()), std::vector<std::string>{});
}

TEST(AsWritten, KeepsSumsThatAreMultiplied) {
  const auto states = [](const std::string &update, const std::string &reference = "r += std::fabs(x[i * m + j])") {
    const auto t = analyse("#include <cmath>\n"
                           "void f(int n, int m, const float *x, const float *b, const float *c, float *y) {\n"
                           "  for (int i = 0; i < n; i++) {\n    float r = 0, s = 0;\n"
                           "    for (int j = 0; j < m; j++) " +
                           reference + ";\n    for (int j = 0; j < m; j++) " + update + ";\n    y[i] = s;\n  }\n}\n");
    std::vector<std::string> found;
    for (const Mended &one : t.relaxed().mended) {
      for (const Expr &state : one.correction.state) found.push_back(show(state));
      found.push_back("final " + show(one.correction.final));
    }
    return found;
  };
  using Found = std::vector<std::string>;
  const std::string difference = "(x[i * m + j] - b[j])", own = "(x[i][j_1] - b[j_1])";
  const Found squares{own + " * " + own, "final #0 / r[i]"};
  EXPECT_EQ(states("s += " + difference + " * " + difference + " / r"), squares);
  EXPECT_EQ(states("s = std::fmax(s, " + difference + " * " + difference + " / r)"), squares);
  EXPECT_EQ(states("s = std::fmax(s, std::pow(std::fabs(" + difference + "), 2.0f) / r)"), squares);
  const std::string given = "(c[i] - b[0])";
  EXPECT_EQ(states("s += x[i * m + j] * (c[i] - b[0]) / r"), (Found{"x[i][j_1]", "final " + given + " * #0 / r[i]"}));
  EXPECT_EQ(
      states("s += std::exp(x[i * m + j] - r) * " + difference + " * " + difference, "r = std::fmax(r, x[i * m + j])"),
      (Found{"exp(x[i][j_1] - r[i]) * " + own + " * " + own, "final #0"}));
}

/// (#0 + 3 t) for 3 t + x - y: with t large it is another number than that of the element that is the largest.
TEST(AsWritten, FinishesNoExtremeOtherwiseThatOthersComputeAgain) {
  const auto mended = [](const std::string &after) {
    const auto t =
        analyse("#include <cmath>\nvoid f(int n, int m, const float *x, const float *y, float *o, float *p) {\n"
                "  for (int i = 0; i < n; i++) {\n    float t = 0, top = -INFINITY, sum = 0;\n"
                "    for (int j = 0; j < m; j++) t += x[i * m + j];\n"
                "    for (int j = 0; j < m; j++) top = std::fmax(top, 3 * t + x[i * m + j] - y[i * m + j]);\n" +
                after + "  }\n}\n");
    std::size_t extremes = 0;
    for (const Mended &m : t.relaxed().mended) extremes += m.correction.carry == Monoid::Max ? 1 : 0;
    return extremes;
  };
  EXPECT_EQ(mended("o[i] = top;\n"), 1U);
  EXPECT_EQ(
      mended(
          "    for (int j = 0; j < m; j++) sum += std::exp(3 * t + x[i * m + j] - y[i * m + j] - top);\no[i] = sum;\n"),
      0U);
}
