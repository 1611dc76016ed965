// Statements: assignments, declarations, aliases, conditions, results, and what is refused with its line.
#include "source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace polymend::test;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string inLoop(const std::string &statements, const std::string &before = "") {
  return bodyOf("#include <cmath>\n" + before +
                "void f(float *y, const float *x, const bool *k, float s, int n, int m, bool c) {\n" +
                "for (int i = 0; i < n; ++i) {\n" + statements + "\n}\n}\n");
}

TEST(Statements, Assignments) {
  EXPECT_EQ(inLoop("y[i] += 1;"), "for i = 0 to n\n  y[i] = y[i] + 1.0\n");
  EXPECT_EQ(inLoop("y[i] -= x[i];"), "for i = 0 to n\n  y[i] = y[i] - x[i]\n");
  EXPECT_EQ(inLoop("y[i] *= s;"), "for i = 0 to n\n  y[i] = y[i] * s\n");
  EXPECT_EQ(inLoop("y[i] /= 2;"), "for i = 0 to n\n  y[i] = y[i] / 2.0\n");
  EXPECT_EQ(inLoop("y[i] += 0.5; ; {}"), "for i = 0 to n\n  y[i] = float(double(y[i]) + 0.5)\n");
  EXPECT_EQ(inLoop("*(y + i) = *(x + n - 1 - i);"), "for i = 0 to n\n  y[i] = x[n - i - 1]\n");
}

TEST(Statements, UpdatesSideBySideAreOne) {
  EXPECT_EQ(inLoop("y[i] = s; y[i] += x[i]; y[i] *= 2;"), "for i = 0 to n\n  y[i] = s\n  y[i] = (y[i] + x[i]) * 2.0\n");
  EXPECT_EQ(inLoop("y[0] += x[i]; y[1] += x[i];"), "for i = 0 to n\n  y[0] = y[0] + x[i]\n  y[1] = y[1] + x[i]\n")
      << "not the same element";
  EXPECT_EQ(inLoop("y[i] += 1; y[i] = y[i] * y[i];"), "for i = 0 to n\n  y[i] = y[i] + 1.0\n  y[i] = y[i] * y[i]\n")
      << "nothing is computed twice";
  EXPECT_EQ(inLoop("y[i] += y[m]; y[i] += 1;"), "for i = 0 to n\n  y[i] = y[i] + y[m]\n  y[i] = y[i] + 1.0\n")
      << "y[m] may be y[i]";
}

TEST(Statements, ATurnMayEndEarly) {
  const std::string chosen = inLoop("if (i > m) { y[i] = 0; } else { y[i] = 1; y[i + n] = 2; }");
  EXPECT_EQ(inLoop("if (i > m) { y[i] = 0; continue; } y[i] = 1; y[i + n] = 2;"), chosen);
  EXPECT_EQ(inLoop("if (i <= m) { y[i] = 1; } else { y[i] = 0; continue; } y[i + n] = 2;"),
            inLoop("if (i <= m) { y[i] = 1; y[i + n] = 2; } else { y[i] = 0; }"));
  EXPECT_EQ(inLoop("y[i] = 1; continue; y[i] = 2;"), "for i = 0 to n\n  y[i] = 1.0\n");
  EXPECT_EQ(inLoop("if (i > m || x[i] > s) continue; y[i] = 1;"), inLoop("if (!(i > m) && !(x[i] > s)) y[i] = 1;"))
      << "what guards reads is a domain";
  EXPECT_THAT(inLoop("if (i > m) {\n if (i > 3) continue; y[i] = 1; }\n y[i] = 2;"),
              HasSubstr("line 5: a continue statement"));
}

TEST(Statements, IntegerLocalsAreInlined) {
  EXPECT_EQ(inLoop("const int g = i / 4; int h = g + m; y[h] = x[g];"), "for i = 0 to n\n  y[i / 4 + m] = x[i / 4]\n");
  EXPECT_EQ(inLoop("int h = 0; h += 1; y[h] = 1;"), "for i = 0 to n\n  y[1] = 1.0\n");
}

/// A variable stands for what the statements before made of it, on either way through a choice.
TEST(Statements, IntegersAreFollowedToSubscripts) {
  EXPECT_EQ(inLoop("int k = i - m; if (k < 0) k = 0; if (k >= n) k = n - 1; y[i] = x[k];"),
            "for i = 0 to n\n  y[i] = x[min(max(i - m, 0), n - 1)]\n");
  EXPECT_EQ(inLoop("int k; if (i > m) { k = i; ++k; } else k = 2; y[i] = x[k];"),
            "for i = 0 to n\n  y[i] = x[m < i ? i + 1 : 2]\n");
  EXPECT_EQ(inLoop("int k = i; if (i > m) { y[i] = x[k]; continue; } k *= 2; y[i] = x[k];"),
            "for i = 0 to n\n  if m < i\n    y[i] = x[i]\n  else\n    y[i] = x[2 * i]\n");
  EXPECT_EQ(inLoop("int k = i, h = 0; k += 3, h = k; y[i] = x[h];"), "for i = 0 to n\n  y[i] = x[i + 3]\n");
  EXPECT_EQ(
      inLoop("y[i] = at(x, i - 1);", "inline float at(const float *p, int k) { k = k < 0 ? 0 : k; return p[k]; }\n"),
      "for i = 0 to n\n  y[i] = x[max(i - 1, 0)]\nleft at: line 2: no loop\n")
      << "a helper's own";
  EXPECT_THAT(inLoop("int k = 0; for (int j = 0; j < m; j++) k += j; y[k] = 1;"),
              HasSubstr("'k' does not move by the same in each turn"));
  EXPECT_THAT(inLoop("int k = i; y[k] = 3; if (y[i] > 2) k = 0; y[k] = 1;"),
              HasSubstr("'k' is set to data that may change"));
  EXPECT_THAT(inLoop("int k = i; int *p = &k; *p = 2; y[k] = 1;"), HasSubstr("left f"));
}

TEST(Statements, FloatLocals) {
  EXPECT_EQ(inLoop("float a = x[i], b = 2; a *= b; y[i] = a;"),
            "for i = 0 to n\n  a = x[i]\n  a = a * 2.0\n  y[i] = a\n");
  EXPECT_EQ(inLoop("const float r = 1.0f / std::sqrt((float)m); y[i] = x[i] * r;"),
            "for i = 0 to n\n  y[i] = x[i] * (1.0 / sqrt(float(m)))\n");
  EXPECT_EQ(inLoop("float w[2][2] = {{1, 2}}; y[i] = w[0][0];"),
            "for i = 0 to n\n  for z0 = 0 to 2\n    for z1 = 0 to 2\n      w[z0][z1] = 0.0\n"
            "  w[0][0] = 1.0\n  w[0][1] = 2.0\n  y[i] = w[0][0]\n");
}

TEST(Statements, ArraysOfVariableSize) {
  EXPECT_THAT(dumped("void f(float *y, int n) {\n float t[n][n + 1];\n for (int i = 0; i < n; ++i) { t[i][0] = 1; y[i] "
                     "= t[i][0]; }\n}"),
              HasSubstr("array float t[n][n + 1]: local"));
  EXPECT_THAT(
      bodyOf("void f(float *y, int n) {\n for (int i = 0; i < n; ++i) {\n float t[i + 1]; t[i] = 1; y[i] = t[i]; }\n}"),
      HasSubstr("line 3: the size of an array varies in a loop"));
}

TEST(Statements, PointerAliasesAreInlined) {
  EXPECT_EQ(
      inLoop("const float *row = x + i * m; float *q = &y[i * m]; for (int j = 0; j < m; ++j) q[j] = *(row + j);"),
      "for i = 0 to n\n  for j = 0 to m\n    y[i * m + j] = x[i * m + j]\n");
  EXPECT_EQ(
      bodyOf("void f(const float k[4][8][16], float (*o)[16]) {\n"
             "for (int h = 0; h < 4; ++h) { const float (*kh)[16] = k[h]; auto &r = o[h]; r[3] = kh[1][2]; }\n}\n"),
      "for h = 0 to 4\n  o[h][3] = k[h][1][2]\n");
  EXPECT_THAT(inLoop("const float *p = x;\n p += 1; y[i] = *p;"), HasSubstr("y[i] = x[1]"));
  EXPECT_THAT(bodyOf("void f(float a[4][8]) {\n float *p = &a[0][0];\n for (int i = 0; i < 32; ++i) p[i] = 0;\n}"),
              HasSubstr("line 2: 'a' has several dimensions"));
}

TEST(Conditions, OverLoopVariablesBranch) {
  EXPECT_EQ(inLoop("if (i < m && i % 2 == 0) y[i] = 0; else if (!(i > 3 || c)) y[i] = 1;"),
            "for i = 0 to n\n  if i < m && i % 2 == 0\n    y[i] = 0.0\n  else\n    if !(3 < i + far)\n      y[i] = "
            "1.0\n");
}

TEST(Conditions, DisjunctionsOverUpdatesSelect) {
  EXPECT_EQ(inLoop("if (i < m || i % 2 == 0) y[0] += x[i];"),
            "for i = 0 to n\n  y[0] = i < m || i % 2 == 0 ? y[0] + x[i] : y[0]\n");
  EXPECT_EQ(inLoop("if (i < m || i % 2 == 0) y[i] = x[i];"),
            "for i = 0 to n\n  if i < m || i % 2 == 0\n    y[i] = x[i]\n");
}

TEST(Conditions, OnDataSelect) {
  EXPECT_EQ(inLoop("float t = s; if (x[i] > t) t = x[i]; y[i] = t;"),
            "for i = 0 to n\n  t = s\n  t = max(t, x[i])\n  y[i] = t\n");
  EXPECT_EQ(inLoop("if (x[i] > 0) y[i] = x[i]; else y[i] = s;"), "for i = 0 to n\n  y[i] = 0.0 < x[i] ? x[i] : s\n");
  EXPECT_EQ(inLoop("if (k[i]) y[i] = 0;"), "for i = 0 to n\n  y[i] = k[i] ? 0.0 : y[i]\n");
  EXPECT_EQ(inLoop("if (i < m && x[i] > 0) y[i] = 0;"),
            "for i = 0 to n\n  if i < m\n    y[i] = 0.0 < x[i] ? 0.0 : y[i]\n");
  EXPECT_EQ(inLoop("if (i < m || x[i] > 0) y[i] = 0;"), "for i = 0 to n\n  y[i] = i < m || 0.0 < x[i] ? 0.0 : y[i]\n");
  EXPECT_EQ(inLoop("if (x[i] > 0) { if (i < m) y[i] = 1; } else y[0] = 2;"),
            "for i = 0 to n\n  if i < m\n    y[i] = 0.0 < x[i] ? 1.0 : y[i]\n  y[0] = 0.0 < x[i] ? y[0] : 2.0\n");
}

TEST(Conditions, OnDataOverLoops) {
  EXPECT_EQ(inLoop("if (x[i] > 0)\n for (int j = 0; j < m; ++j) y[j] += x[j];"),
            "for i = 0 to n\n  for j = 0 to m\n    y[j] = 0.0 < x[i] ? y[j] + x[j] : y[j]\n");
  EXPECT_EQ(inLoop("if (x[i] > 0) { float t = 0; for (int j = 0; j < m; ++j) t += x[j]; y[i] = t; }"),
            "for i = 0 to n\n  t = 0.0\n  for j = 0 to m\n    t = 0.0 < x[i] ? t + x[j] : t\n"
            "  y[i] = 0.0 < x[i] ? t : y[i]\n");
}

TEST(Conditions, LocalsUnderThem) {
  EXPECT_EQ(bodyOf("#include <cmath>\nfloat f(const float *x, int n) {\nfloat m = -INFINITY, l = 0;\n"
                   "for (int j = 0; j < n; ++j) {\nif (x[j] > m) { float c = std::exp(m - x[j]); l *= c; m = x[j]; }\n"
                   "l += std::exp(x[j] - m); }\nreturn l;\n}\n"),
            "m = -INFINITY\nl = 0.0\nfor j = 0 to n\n  c = m < x[j] ? exp(m - x[j]) : 0.0\n  l = m < x[j] ? l * c : l\n"
            "  m = max(m, x[j])\n  l = l + exp(x[j] - m)\nreturn = l\n");
}

TEST(Conditions, Refused) {
  EXPECT_THAT(inLoop("if (y[i] > 0) {\n y[i] = 1; y[0] = 2; }"), HasSubstr("  y[0] = holds != 0 ? 2.0 : y[0]\n"));
  EXPECT_THAT(inLoop("if (y[i] > 0)\n for (int j = 0; j < m; ++j) y[j] = 1;"),
              HasSubstr("  holds = 0.0 < y[i] ? 1 : 0\n  for j = 0 to m\n    y[j] = holds != 0 ? 1.0 : y[j]\n"))
      << "each turn may change it";
  EXPECT_THAT(inLoop("if (float t = x[i]; t > 0) y[i] = t;"), HasSubstr("  t = x[i]\n  y[i] = 0.0 < t ? t : y[i]\n"));
  EXPECT_THAT(inLoop("bool b = y[i] > 0; y[i] = 0; if (b) y[i] = 1;"), HasSubstr("  b = 0.0 < y[i]\n  y[i] = 0.0\n"));
  EXPECT_THAT(inLoop("int arg = 0; if (x[i] > s) { y[i] = x[i];\n arg = i; }"),
              HasSubstr("  arg = s < x[i] ? i : arg\n"));
}

TEST(Results, ReturnIsAnArray) {
  EXPECT_EQ(dumped("double f(const double *x, int n) {\n double t = 0;\n for (int i = 0; i < n; ++i) t += x[i];\n "
                   "return t / n;\n}"),
            "function f -> double\n  array const double x[]: parameter, flat\n  array double t: local\n"
            "  array double return: return\n  sizes n\n  t = 0.0\n  for i = 0 to n\n    t = t + x[i]\n"
            "  return = t / double(n)\n");
}

TEST(Statements, CallsForTheirEffects) {
  const std::string helpers = "static void scaled(float *row, float by, int n) {\n"
                              "  if (n == 0) return;\n  for (int j = 0; j < n; ++j) row[j] *= by;\n}\n"
                              "static float sum(const float *row, int n) {\n"
                              "  float s = 0;\n  for (int j = 0; j < n; ++j) s += row[j];\n  return s;\n}\n";
  EXPECT_THAT(bodyOf(helpers + "void f(float *y, int n) { for (int i = 0; i < n; ++i) scaled(y + 8 * i, 2.0f, 8); }"),
              EndsWith("for i = 0 to n\n  for j = 0 to 8\n    y[8 * i + j] = y[8 * i + j] * 2.0\n"));
  EXPECT_THAT(bodyOf(helpers + "void f(float *y, int n) { for (int i = 0; i < n; ++i) scaled(y + 8 * i, y[0], 8); }"),
              EndsWith("for i = 0 to n\n  by = y[0]\n  for j = 0 to 8\n    y[8 * i + j] = y[8 * i + j] * by\n"));
  EXPECT_THAT(
      bodyOf(helpers + "void f(float *y, const float *x, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * sum(x, i); }"),
      EndsWith("for i = 0 to n\n  s = 0.0\n  for j = 0 to i\n    s = s + x[j]\n  y[i] = 2.0 * s\n"));
  EXPECT_THAT(bodyOf("static void add(float &s, float v) { s += v; }\n"
                     "void f(float *y, const float *x, int n) { float s = 0; for (int i = 0; i < n; ++i) add(s, x[i]); "
                     "y[0] = s; }"),
              HasSubstr("s = 0.0\nfor i = 0 to n\n  v = x[i]\n  s = s + v\ny[0] = s\n"));
}

TEST(Statements, ReturnsBeforeTheEnd) {
  EXPECT_EQ(bodyOf("void f(float *y, int n) { if (n <= 3) return;\n for (int i = 0; i < n; ++i) y[i] = 0; }"),
            "if !(n <= 3)\n  for i = 0 to n\n    y[i] = 0.0\n");
  EXPECT_EQ(
      bodyOf("float f(const float *x, int n) { if (n == 0) return 0;\n float s = 0;\n"
             " for (int i = 0; i < n; ++i) s += x[i];\n return s / n; }"),
      "if n == 0\n  return = 0.0\nelse\n  s = 0.0\n  for i = 0 to n\n    s = s + x[i]\n  return = s / float(n)\n");
}

TEST(Statements, ListedValuesComeOneBehindTheOther) {
  const auto listed = [](const std::string &statement) {
    return bodyOf("#include <initializer_list>\nvoid f(float *y, const float *x, int n, float s) {\n"
                  "for (int i = 0; i < n; ++i) { " +
                  statement + " } }");
  };
  EXPECT_EQ(listed("for (int d : {-1, 1}) y[i + d] = x[i];"), "for i = 0 to n\n  y[i - 1] = x[i]\n  y[i + 1] = x[i]\n");
  EXPECT_EQ(listed("for (const float w : {0.5f, s}) y[i] = w;"), "for i = 0 to n\n  y[i] = 0.5\n  y[i] = s\n");
  const std::string head = "#include <initializer_list>\nvoid f(float *y, const float *x, int n) {\n";
  EXPECT_THAT(whyLeft(head + "for (float w : {x[0], x[1]}) y[0] += w; }"), HasSubstr("over this list"));
  EXPECT_THAT(whyLeft(head + "for (int d : {0, 1}) { d += n; y[d] = 1; } }"), HasSubstr("'d' is changed"));
}

TEST(Statements, DoLoopsTurnBeforeTheyAsk) {
  const auto loopOf = [](const std::string &body) {
    const std::string text = bodyOf("void f(float *y, int n, unsigned m) {\n" + body + " }");
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(loopOf("int i = 0; do { y[i] = 1; ++i; } while (i < n);"), "for i = 0 to max(n, 1)");
  EXPECT_EQ(loopOf("int i = 0; do y[i] = 1; while (++i < n);"), "for i = 0 to max(n, 1)");
  EXPECT_EQ(loopOf("int i = n; do { y[i] = 1; } while (--i > 0);"), "for i = n to min(0, n - 1) step -1");
  EXPECT_EQ(loopOf("unsigned i = 2; do { y[i] = 1; i += 3; } while (i < m);"), "for i = 2 to max(m, 3) step 3");
  EXPECT_THAT(whyLeft("void f(float *y, int n) {\nint i = 0; do { y[i] = 1; i += n; } while (i < n); }"),
              HasSubstr("a do loop"));
  EXPECT_EQ(loopOf("int i = 0; do { y[i] = 1; } while (i++ < n);"), "for i = 0 to max(0, n) + 1");
  EXPECT_EQ(loopOf("int i = 0; do { y[i] = 1; ++i; } while (i < n); y[i] = 2;"), "for i = 0 to max(0, n - 1) + 1");
  EXPECT_THAT(
      whyLeft("void f(float *y, int n) {\nint i = 0; do { if (y[i] > 1) continue; y[i] = 1; ++i; } while (i < n); }"),
      HasSubstr("'i' is set to data that may change"));
}

TEST(Statements, AssertionsHoldOrTheSourceRuns) {
  const std::string text = "#undef NDEBUG\n#include <cassert>\nvoid f(float *y, int n) {\n";
  EXPECT_THAT(dumped(text + "assert(n > 2); for (int i = 0; i < n; ++i) y[i] = 0; }"), HasSubstr("2 < n"));
  const auto within = [&](const std::string &asserted) {
    return text + "for (int i = 0; i < n; ++i) { " + asserted + " y[i] = 0; } }";
  };
  EXPECT_THAT(dumped(within("assert(i < 9);")), HasSubstr("0 <= -n + 9"));
  EXPECT_THAT(dumped(within("assert(i >= 0 && i < n);")), Not(HasSubstr("given")));
  EXPECT_THAT(dumped(within("if (i > 2) assert(i > 1);")), Not(HasSubstr("given")));
  EXPECT_THAT(whyLeft(within("if (y[i] > 2) assert(i < 9);")), HasSubstr("an assertion under a condition"));
  EXPECT_THAT(whyLeft(within("assert(i * i < 90);")), HasSubstr("what this assertion asks of each turn"));
  EXPECT_THAT(whyLeft(text + "assert(y[0] > 1); for (int i = 0; i < n; ++i) y[i] = 0; }"),
              HasSubstr("an assertion about data"));
}

TEST(Statements, RefusedWithTheirLine) {
  const auto left = [](const std::string &statements) { return inLoop(statements); };
  EXPECT_THAT(left("\nwhile (y[i] > 1) y[i] /= 2;"), HasSubstr("line 5: a while loop is not supported"));
  EXPECT_THAT(left("do y[i] = 1; while (y[i] > 1);"), HasSubstr("line 4: a do loop"));
  EXPECT_THAT(left("if (i > m) return;"), HasSubstr("line 4: a return before the end"));
  EXPECT_THAT(left("goto end; end: y[i] = 1;"), HasSubstr("line 4: a goto statement"));
  EXPECT_THAT(left("switch (i) { case 0: y[i] = 1; case 1: y[i] = 2; }"), HasSubstr("line 4: a switch statement"));
  EXPECT_THAT(left("if (c) y++;"), HasSubstr("line 4: '++' outside a loop header moves a pointer"));
  EXPECT_THAT(left("y = y + 1;"), HasSubstr("line 4: an assignment moves a pointer"));
  EXPECT_THAT(left("printf(\"x\");"), HasSubstr("undeclared"));
  EXPECT_THAT(left("std::frexp(s, &m); y[i] = 1;"), HasSubstr("line 4: "));
  EXPECT_THAT(left("struct P { float a; } p; y[i] = p.a;"), HasSubstr("line 4: a structure within a function"));
  EXPECT_THAT(left("float v = x[i]; auto g = [v] { return v; }; v = 2; y[i] = g();"),
              HasSubstr("line 4: a lambda copies 'v', which changes"));
  EXPECT_THAT(left("auto g = [v = x[i]]() mutable { v += 1; return v; }; y[i] = g();"),
              HasSubstr("a lambda that declares what it captures"));
  EXPECT_THAT(left("float *p = new float(4); y[i] = p[0];"), HasSubstr("line 4: this use of new"));
  EXPECT_THAT(left("volatile float v = 1; y[i] = v;"), HasSubstr("line 4: 'v' is volatile"));
  EXPECT_THAT(left("static float v = 1; v += 1; y[i] = v;"), HasSubstr("keeps a value between calls"));
  EXPECT_THAT(left("y[i];"), HasSubstr("line 4: a statement without an assignment"));
}

} // namespace
