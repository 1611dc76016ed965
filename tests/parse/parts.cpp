// Parts of functions that cannot be read as a whole, what `#pragma scop` marks, searches that keep an index, and arrays
// of structures.
#include "source.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace polymend;
using namespace polymend::test;

namespace {

std::vector<Function> partsOf(const std::string &source) {
  const ParseOutcome outcome = parseText(source);
  std::vector<Function> parts;
  for (const auto &[name, part] : outcome.nest->parts) parts.push_back(part);
  return parts;
}

TEST(Parts, WhatCannotBeReadCostsNoNestBeside) {
  const auto parts = partsOf("void say(int); void f(float *y, float *z, int n) { for (int i = 0; i < n; i++) y[i] = 1; "
                             "say(n); for (int i = 0; i < n; i++) z[i] = y[i]; }");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].parameters.size(), 2U);
  EXPECT_EQ(parts[1].parameters.size(), 3U);
  EXPECT_TRUE(parts[0].isRegion);
}

TEST(Parts, ATimeStepIsOneWhereItsPointersAreSwapped) {
  const auto parts = partsOf(
      "void say(int); void f(float *a, float *b, int n, int t) { for (int s = 0; s < t; s++) { for (int i = 1; i "
      "< n - 1; i++) b[i] = a[i - 1] + a[i + 1]; say(s); float *c = a; a = b; b = c; } }");
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].body.size(), 1U);
}

TEST(Parts, WhatIsUsedBehindStaysOutside) {
  const auto parts =
      partsOf("void say(float); void f(const float *x, int n) { float s = 0; for (int i = 0; i < n; i++) s "
              "+= x[i]; say(s); }");
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].parameters.size(), 3U) << "s is a reference to a variable outside";
}

TEST(Parts, AnAddressMayLeadAnywhere) {
  EXPECT_TRUE(
      partsOf("void say(int *); void f(int *y, int n) { say(&n); for (int i = 0; i < n; i++) y[i] = 1; }").empty());
}

TEST(Parts, WhatIsMadeOfARestrictedPointerMayPointToTheSame) {
  const auto parts =
      partsOf("void say(int); struct View { float *data; }; void f(float *__restrict y, float *x, float *z, int n) {\n"
              "  View v{y}; z = y;\n  say(n);\n"
              "  for (int i = 0; i < n; i++) v.data[i] = y[i] + x[i] + z[i];\n}");
  ASSERT_EQ(parts.size(), 1U);
  std::map<std::string, bool> derived;
  for (const Array &array : parts[0].arrays) derived[array.name] = array.derived;
  EXPECT_EQ(derived, (std::map<std::string, bool>{{"v_data", true}, {"y", false}, {"x", false}, {"z", true}}));
}

TEST(Parts, PointersThatStayAndConstViewsAreWhatTheyWereMadeOf) {
  const auto arraysOf = [](const std::string &text) {
    const auto parts = partsOf("struct View { float *data; int pitch; }; void say(int); "
                               "void f(float *y, float *x, int n, int m) { " +
                               text + " }");
    std::set<std::string> names;
    if (parts.size() == 1)
      for (const Array &array : parts[0].arrays) names.insert(array.name);
    return names;
  };
  const std::string run = "for (int i = 0; i < n; i++) y[i] = p[i] + 1;",
                    views = "for (int i = 0; i < n; i++) y[i] = v.data[i * v.pitch];";
  using Names = std::set<std::string>;
  EXPECT_EQ(arraysOf("float *p = x + n * m; say(n); " + run), (Names{"x", "y"}));
  EXPECT_EQ(arraysOf("const View v{x + m, n}; say(n); " + views), (Names{"x", "y"}));
  EXPECT_EQ(arraysOf("float *p = x + m; m = 2; say(m); " + run), (Names{"p", "y"})) << "m is another number by then";
  EXPECT_EQ(arraysOf("float *p = x + m; say(n); { int m = 2; say(m); " + run + " }"), (Names{"p", "y"}))
      << "m means another variable there";
  EXPECT_EQ(arraysOf("View v{x + m, n}; say(n); " + views), (Names{"v_data", "y"})) << "its members may have changed";
}

TEST(Parts, APragmaMarksAPart) {
  const ParseOutcome outcome = parseText(
      "void say(int); void f(float *y, int n) {\n say(1);\n#pragma scop\n for (int i = 0; i < n; i++) y[i] = 1;\n"
      "#pragma endscop\n say(2);\n}\n");
  ASSERT_EQ(outcome.nest->functions.size(), 1U);
  EXPECT_TRUE(outcome.nest->functions[0].isRegion);
  EXPECT_TRUE(outcome.nest->left.empty());
}

TEST(Searches, TheElementAtTheIndexIsKeptBesideIt) {
  const std::string text =
      bodyOf("void f(const float *x, int *where, int n, int m) { for (int i = 0; i < n; i++) { int k = "
             "0; for (int j = 1; j < m; j++) if (x[i * m + j] > x[i * m + k]) k = j; where[i] = k; } }");
  EXPECT_NE(text.find("if 1 < m"), std::string::npos) << text;
  EXPECT_NE(text.find("max(at_k, x[i * m + j])"), std::string::npos) << text;
}

TEST(Searches, AnArrayThatIsWrittenIsReadWhereItIs) {
  const std::string text = bodyOf(
      "void f(float *x, int n) { int k = 0; for (int j = 1; j < n; j++) { if (x[j] > x[k]) k = j; x[j] = 0; } }");
  EXPECT_NE(text.find("x[k] < x[j]"), std::string::npos) << text;
}

TEST(Searches, AnIndexThatIsKeptIsNoneThatChangesLater) {
  const std::string text = bodyOf("void f(float *y, int *t, int n) { for (int i = 0; i < n; i++) { float &e = y[t[i]]; "
                                  "t[i] = 0; e = 1; } }");
  EXPECT_NE(text.find("  at = std::int64_t(t[i])\n  t[i] = 0\n  y[at] = 1.0\n"), std::string::npos) << text;
}

TEST(Indices, WhatIsAddedUpChoosesNoElement) {
  const auto why = [](const std::string &statement) {
    return whyLeft(
        "void f(float *y, const float *x, const float *t, int n, int m) { for (int i = 0; i < n; i++) { float s "
        "= 0; for (int j = 0; j < m; j++) " +
        statement + " } }");
  };
  const std::string unsure = "last bits may be others than the source's";
  EXPECT_NE(why("s += x[i * m + j]; y[i] = t[(int)s];").find(unsure), std::string::npos);
  EXPECT_NE(why("s += x[i * m + j]; const int k = (int)(2 * s); y[i] = t[k];").find(unsure), std::string::npos);
  EXPECT_NE(why("s += x[i * m + j]; float u = s; y[i] = 0; if (u > 1) y[i] = t[(int)y[i]];").find(unsure),
            std::string::npos);
  EXPECT_EQ(why("s = s < x[i * m + j] ? x[i * m + j] : s; y[i] = t[(int)s];"), "");
  EXPECT_EQ(why("s = x[i * m + j] / 3; y[i] = t[(int)s];"), "");
}

TEST(Structures, AnArrayOfThemIsOneOfRows) {
  const std::string text =
      bodyOf("struct P { float x, y, m; }; void f(P *p, int n) { for (int i = 0; i < n; i++) { P &q = "
             "p[i]; q.x += q.m; p[i].y = 2; } }");
  EXPECT_NE(text.find("p_elements[i][0] = p_elements[i][0] + p_elements[i][2]"), std::string::npos) << text;
  EXPECT_NE(text.find("p_elements[i][1] = 2.0"), std::string::npos) << text;
}

TEST(Structures, MembersOfSeveralTypesAreAsManyArrays) {
  const std::string text =
      bodyOf("struct B { float d; signed char q[4]; }; void f(const B *b, float *y, int n) { for (int "
             "i = 0; i < n; i++) y[i] = b[i].d * b[i].q[3]; }");
  EXPECT_NE(text.find("b_d[i][0]"), std::string::npos) << text;
  EXPECT_NE(text.find("b_q[i][7]"), std::string::npos) << text;
}

TEST(Structures, WhatIsWithinOthersLiesInTheSameRow) {
  const std::string text = bodyOf(
      "struct V { float x, y; }; struct P { V at; float m[2][3]; }; void f(P *p, int n) { for (int i = 0; i < n; "
      "i++) for (int k = 0; k < 3; k++) p[i].m[1][k] = p[i].at.y; }");
  EXPECT_NE(text.find("p_elements[i][k + 5] = p_elements[i][1]"), std::string::npos) << text;
}

TEST(Structures, PointersAmongThemCountFromTheFirst) {
  const std::string text = bodyOf(
      "struct P { float x, y; }; void f(P *p, int k, int n) { P *q = p + k; for (int i = 0; i < n; i++) { P *r = "
      "&q[2 * i]; r->x = (r + 1)->y; (*q).y = 0; } }");
  EXPECT_NE(text.find("p_elements[k + 2 * i][0] = p_elements[k + 2 * i + 1][1]"), std::string::npos) << text;
  EXPECT_NE(text.find("p_elements[k][1] = 0.0"), std::string::npos) << text;
}

TEST(Structures, ARecordWithMoreThanNumbersIsLeft) {
  EXPECT_NE(whyLeft("struct P { float x; float *y; }; void f(P *p, int n) { for (int i = 0; i < n; i++) p[i].x = 1; }")
                .find("not supported"),
            std::string::npos);
}

TEST(Conditions, WhatBothArmsAssignIsOneAssignment) {
  const std::string text = bodyOf(
      "float f(float *y, const float *x, int n) { float s = 0; for (int i = 0; i < n; i++) { if (x[i] > 0) { y[i] = "
      "1; s += y[i]; } else { y[i] = x[i]; s += y[i]; } } return s; }");
  EXPECT_NE(text.find("y[i] = 0.0 < x[i] ? 1.0 : x[i]"), std::string::npos) << text;
  EXPECT_NE(text.find("s = s + y[i]"), std::string::npos) << text;
}

TEST(Conditions, AConditionThatAnArmChangesIsKept) {
  const std::string text =
      bodyOf("void f(float *v, float *w, int n) { for (int i = 0; i < n; i++) if (v[i] > 0) { v[i] = "
             "-1; w[i] = 2; } else v[i] = 3; }");
  EXPECT_NE(text.find("holds"), std::string::npos) << text;
}

TEST(Structures, ACopyOfWhatMayChangeIsTakenWhereItStands) {
  const std::string body =
      bodyOf("struct P { float x, y; }; void f(P *p, int n) { for (int i = 0; i < n; i++) { P q = p[i]; p[i].x = "
             "2; p[i].y = q.x; } }");
  EXPECT_LT(body.find("q_x = "), body.find("[i][0] = 2.0")) << body;
  EXPECT_NE(body.find("[i][1] = q_x"), std::string::npos) << body;
}

} // namespace

TEST(Parts, ALoopsVariableIsNotUsedElsewhere) {
  const std::string loop = "for (i = 0; i < n; ++i) s += x[i]; ";
  const std::string before = "void f(int n, const float *x, float *y) { int i = 0; float s = 0; ";
  EXPECT_TRUE(partsOf(before + loop + "for (; i < n + 3; ++i) y[i] = s; }").empty());
  EXPECT_TRUE(partsOf(before + "while (s < 3) { y[i] = s; " + loop + "} }").empty());
  EXPECT_EQ(partsOf(before + "while (s < 3) { " + loop + "s += 1; } for (i = 0; i < n; ++i) y[i] = s; }").size(), 2U);
}
