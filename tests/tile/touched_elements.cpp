// What a program says that its statements touch of an argument.
#include "../compilation.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

/// What a loop over i < n whose body is `body` touches of x.
TouchedElements touchedBy(const std::string &body) {
  const auto program = analyse("void f(long n, long m, long k, const int *t, const double *x, double *y) {\n"
                               "  for (long i = 0; i < n; i++) {\n" +
                               body + "\n  }\n}\n")
                           .lowered();
  EXPECT_TRUE(program) << (program ? "" : program.refusal().reason);
  for (std::size_t k = 0; program && k < program->touched.size(); ++k)
    if (program->touched[k].array == "x") return program->touched[k];
  ADD_FAILURE() << "nothing is said of x";
  return {};
}

/// A part in words: its element, and the bounds of each dimension.
std::string shown(const TouchedPart &part) {
  std::string text = show(part.element);
  for (const PointDim &d : part.dims) text += ", " + d.variable + " in [" + show(d.first) + ", " + show(d.limit) + ")";
  return text;
}

} // namespace

TEST(TouchedElements, BeginAtThePointerWhereTheLeastSubscriptIsZero) {
  EXPECT_TRUE(touchedBy("y[i] = x[i];").plain);
  EXPECT_TRUE(touchedBy("for (long j = 0; j < m; j++) y[i * m + j] = x[i * m + j];").plain);
}

TEST(TouchedElements, ReachBelowThePointer) {
  const TouchedElements below = touchedBy("y[i] = x[i - k];");
  ASSERT_EQ(below.parts.size(), 1U);
  EXPECT_EQ(shown(below.parts[0]), "[0], [0] in [-k, n - k)");
  EXPECT_EQ(shown(touchedBy("y[i] = x[-i];").parts.at(0)), "[0], [0] in [-n + 1, 1)");
}

TEST(TouchedElements, BeginAndEndWithTheStepsThatAreTaken) {
  const TouchedElements even = touchedBy("if (i % 2 == 0) y[i] = x[i];");
  ASSERT_EQ(even.parts.size(), 1U);
  EXPECT_EQ(shown(even.parts[0]), "[0], [0] in [0, 2 * n - 2 * floordiv(n, 2) - 1)");
  const TouchedElements back = touchedBy("for (long j = m - 1; j >= 0; j -= 2) y[i * m + j] = x[j];");
  ASSERT_EQ(back.parts.size(), 1U);
  EXPECT_EQ(shown(back.parts[0]), "[0], [0] in [m - 2 * floordiv(m + 1, 2) + 1, m)");
  EXPECT_TRUE(touchedBy("y[i] = x[2 * i];").plain);
}

TEST(TouchedElements, AreThoseOfEachCaseOfSizes) {
  const TouchedElements few = touchedBy("if (i >= 2 && i < 24 && i % 2 == 0) y[i] = x[i];");
  ASSERT_EQ(few.parts.size(), 2U);
  EXPECT_EQ(show(few.parts[0].where), "0 <= n - 24");
  EXPECT_EQ(shown(few.parts[0]), "[0], [0] in [2, 23)");
}

TEST(TouchedElements, EndWithTheGreatestOfSeveralSteps) {
  const TouchedElements two = touchedBy("y[i] = x[67 * i] + x[65 * i + 192];"); // 67 (n - 1) or 65 (n - 1) + 192
  ASSERT_EQ(two.parts.size(), 2U);
  for (const TouchedPart &part : two.parts) {
    const bool isLong = show(part.where) == "0 <= n - 98";
    EXPECT_EQ(show(part.dims.at(0).limit), isLong ? "67 * n - 66" : "65 * n + 128") << show(part.where);
  }
  EXPECT_FALSE(touchedBy("for (long j = 0; j < 2; j += 2) y[i] += x[j];").plain) << "one element, not two";
}

TEST(TouchedElements, OfRowsThatAreChosenByBitsLieInMemory) {
  const auto program = analyse("void f(long n, long m, const float (*x)[40], float *y) {\n"
                               "  for (long i = 0; i < n; i++)\n"
                               "    for (long j = 2; j < m; j++) y[i * m + j] = x[i & 6][j];\n}\n")
                           .lowered();
  ASSERT_TRUE(program);
  for (const TouchedElements &touched : program->touched)
    if (touched.array == "x") {
      ASSERT_EQ(touched.parts.size(), 2U); // row 6, or the last even one below n
      EXPECT_EQ(shown(touched.parts[1]), "[0], [0] in [2, m + 240)");
    }
}

TEST(TouchedElements, OfTheLastRowEndWithTheGreaterOfTwo) {
  const TouchedElements rows =
      touchedBy("for (long j = 1; j < k; j++) y[i] += x[i * m + j];\n    y[i] += x[i * m + i];");
  EXPECT_FALSE(rows.plain) << "the last row may end before the next would begin";
  EXPECT_FALSE(rows.around);
  EXPECT_EQ(rows.parts.size(), 2U) << "k or n elements of it";
}

TEST(TouchedElements, AreLessThanTheirPartsWhereTheEndsAreNotFound) {
  EXPECT_TRUE(touchedBy("if (i >= 3) y[i] = x[i / 5 * 8 + i % 8 * 8];").around);
  const TouchedElements found = touchedBy("if (i >= 3) y[i] = x[i * 64 + (i & 6)] - x[(i - 3) * 64 + i];");
  EXPECT_FALSE(found.around);
  EXPECT_GT(found.parts.size(), 1U);
}

TEST(TouchedElements, AreNoneWhereAnotherLoopIsEmpty) {
  const TouchedElements whole = touchedBy("for (long j = 0; j < m; j++) y[i * m + j] = x[i];");
  EXPECT_TRUE(whole.plain);
  ASSERT_EQ(whole.parts.size(), 1U);
  EXPECT_EQ(show(whole.parts[0].where), "0 <= m - 1");
  EXPECT_TRUE(touchedBy("y[i] = x[i];").parts.empty());
}

TEST(TouchedElements, AreNoneOfRowsThatFollowOneAnotherWhereThereIsNoRow) {
  const TouchedElements rows = touchedBy("if (i < n - 3) for (long j = 0; j < m; j++) y[i] += x[i * 64 + j];");
  ASSERT_TRUE(rows.plain) << "m + 64 * n - 256 elements, positive without a row";
  ASSERT_EQ(rows.parts.size(), 1U);
  EXPECT_EQ(show(rows.parts[0].where), "0 <= n - 4 && 0 <= m - 1");
}

TEST(TouchedElements, AreTheUnionOfTwoShapes) {
  const TouchedElements both = touchedBy("for (long j = 0; j < m; j++) y[i * m + j] = x[i * m + j] + x[i];");
  ASSERT_EQ(both.parts.size(), 2U);
  EXPECT_EQ(shown(both.parts[0]), "i * m + j, i in [0, n), j in [0, m)");
  EXPECT_EQ(shown(both.parts[1]), "[0], [0] in [0, n)");
}

TEST(TouchedElements, ThatMoveTogetherAreNoBox) {
  const TouchedElements steps = touchedBy("if (i % 3 == 0) y[i] = x[i * 960 + (k - i) * 40 + i];");
  ASSERT_EQ(steps.parts.size(), 1U);
  EXPECT_EQ(steps.parts[0].dims.size(), 1U) << shown(steps.parts[0]);
  const TouchedElements corners = touchedBy("for (long j = i; j < n; j++) y[i] += x[(m - i) * k + j * m];");
  ASSERT_FALSE(corners.parts.empty());
  for (const TouchedPart &part : corners.parts) EXPECT_TRUE(part.dims.empty()) << shown(part);
  const TouchedElements data = touchedBy("for (long j = 0; j <= i; j++) y[i] += i % 3 == 0 ? 1 : x[t[j]];");
  ASSERT_EQ(data.parts.size(), 1U);
  EXPECT_NE(shown(data.parts[0]).find("floordiv"), std::string::npos) << shown(data.parts[0]);
}

TEST(TouchedElements, OfSubscriptsThatAreNotAffineLieOverTheIterations) {
  EXPECT_EQ(shown(touchedBy("y[i] = x[i * i];").parts.at(0)), "i * i, i in [0, n)");
  EXPECT_EQ(shown(touchedBy("y[i] = x[i % m];").parts.at(0)), "i % m, i in [0, n)");
  EXPECT_EQ(shown(touchedBy("y[i] = x[t[i]];").parts.at(0)), "t[i], i in [0, n)");
}

TEST(TouchedElements, AreUnknownWhereDataDecideWhetherAnIndexIsRead) {
  EXPECT_EQ(touchedBy("if (y[i] > 0) y[i] = x[t[i]];").unknown, "whether 't[i]' is evaluated depends on data");
  EXPECT_EQ(touchedBy("if (i > k) y[i] = x[t[i]];").unknown, "");
}

TEST(TouchedElements, TellOutputsFromInputs) {
  EXPECT_FALSE(touchedBy("y[i] = x[i];").stored);
  const auto program = analyse("void f(long n, double *x, double *y, double *z) {\n"
                               "  for (long i = 0; i < n; i++) y[i] = x[i];\n}\n")
                           .lowered();
  ASSERT_TRUE(program);
  ASSERT_EQ(program->touched.size(), 3U);
  EXPECT_TRUE(program->touched[1].stored);
  EXPECT_FALSE(program->touched[2].plain);
  EXPECT_TRUE(program->touched[2].parts.empty());
}

TEST(TouchedElements, EndWhereEachIteratorIsAtItsEnd) {
  for (const std::string &body : {"for (long j = 0; j <= i; j++) y[i * n + j] = x[i * (i + 1) / 2 + j];",
                                  "for (long j = 0; j < m; j++) y[i * m + j] = x[i / k * m + j];",
                                  "for (long j = 0; j < m; j++) y[i * m + j] = x[i * m + (j + 1) % m];",
                                  "for (long j = 0; j < m; j++) y[i * m + j] = x[((i | 4) * m + i + 1) * m + j];"})
    EXPECT_FALSE(touchedBy(body).around) << body;
  for (const std::string &body :
       {"for (long j = 0; j < i; j++) y[i * n + j] = x[i * i - j];", "y[i] = x[i % 8 * (i + 1)];"})
    EXPECT_TRUE(touchedBy(body).around) << body;
}
