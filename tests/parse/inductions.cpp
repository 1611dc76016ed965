// Pointers and integers that each turn of a loop moves by the same.
#include "source.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::test;
using testing::HasSubstr;

namespace {

std::string movedBy(const std::string &statements) {
  return bodyOf("void f(float *y, const float *x, int n, int m, unsigned u) { " + statements + " }");
}

std::string whyNot(const std::string &statements) {
  return whyLeft("void f(float *y, const float *x, int n, int m, unsigned u) { " + statements + " }");
}

TEST(Inductions, StepWithinExpressions) {
  const std::string copied = "for n_turn = 0 to n\n  y[n_turn] = x[n_turn]\n";
  EXPECT_EQ(movedBy("while (n--) *y++ = *x++;"), copied);
  EXPECT_EQ(movedBy("while (n-- > 0) { *y = *x; ++y; x += 1; }"), copied);
  EXPECT_EQ(movedBy("int i = 0; while (i < n) y[i++] = 1;"), "for i = 0 to n\n  y[i] = 1.0\n");
  EXPECT_EQ(movedBy("float *p = y; for (int i = 0; i < n; i++) { float a = *x++; *p++ = a * *x++; }"),
            "for i = 0 to n\n  a = x[2 * i]\n  y[i] = a * x[2 * i + 1]\n");
  EXPECT_EQ(movedBy("for (int i = 0; i < n; i++) *++y = x[i];"), "for i = 0 to n\n  y[i + 1] = x[i]\n");
}

TEST(Inductions, InnerLoopsMoveByHowOftenTheyTurn) {
  const std::string nested =
      dumped("void f(float *y, const float *x, int n, int m) { int k = 0; for (int i = 0; i < n; "
             "i++) { for (int j = 0; j < m; j++) y[k++] = x[j]; k += 3; } }");
  EXPECT_THAT(nested, HasSubstr("y[i * (m + 3) + j] = x[j]"));
  EXPECT_THAT(nested, HasSubstr("given 0 <= m"));
  EXPECT_THAT(movedBy("for (int i = 0; i < n; ++i, x += m) for (int j = 0; j < m; ++j) *y++ = x[j];"),
              HasSubstr("y[i * m + j] = x[i * m + j]"));
}

TEST(Inductions, StandBehindALoopWhereItLeavesThem) {
  EXPECT_THAT(movedBy("int i = 0; for (; i + 4 <= n; i += 4) y[i] = 1; for (; i < n; i++) y[i] = 2;"),
              HasSubstr("y[4 * floordiv(n, 4) + i_turn_1] = 2.0"));
  EXPECT_THAT(movedBy("int i; for (i = 0; i < n; i++) y[i] = 1; y[i++] = 3;"), HasSubstr("y[n] = 3.0"));
  EXPECT_THAT(movedBy("for (; n >= 2; n -= 2) *y++ = 1; for (; n > 0; --n) *y++ = 2;"), HasSubstr("floordiv(n, 2)"));
}

TEST(Inductions, EndALoopThatAsksForThem) {
  EXPECT_THAT(movedBy("const float *end = x + n; while (x != end) *y++ = *x++;"), HasSubstr("for at_x = 0 to n"));
  EXPECT_THAT(movedBy("for (const float *p = x + n; p > x;) *y++ = *--p;"), HasSubstr("y[at_p] = x[n - at_p - 1]"));
  EXPECT_THAT(movedBy("for (int i = 0, j = n - 1; i < j; i++, j--) y[i] = x[j];"), HasSubstr("y[i] = x[n - i - 1]"));
  EXPECT_THAT(movedBy("do *y++ = *x++; while (--n > 0);"), HasSubstr("to max(0, n - 1) + 1"));
}

TEST(Inductions, DoNotWrapUnseen) {
  const std::string stored = "void f(float *y, unsigned n, unsigned m) { ";
  EXPECT_THAT(dumped(stored + "unsigned k = 0; for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < m; j++) "
                              "y[k++] = 1; }"),
              HasSubstr("<= 4294967295"));
  EXPECT_THAT(dumped(stored + "unsigned i = n; while (--i > 0) y[i] = 1; }"),
              HasSubstr("given 0 <= n - max(0, n - 1)"));
  EXPECT_THAT(
      dumped("void f(float *y, int n, unsigned u) { unsigned k = u; for (int i = 0; i < n; i++) { k--; y[k] = 1; } }"),
      HasSubstr("given 0 <= u - n"));
}

TEST(Inductions, CountDownToZero) {
  EXPECT_EQ(bodyOf("#include <cstddef>\nvoid f(float *y, size_t n) { for (size_t i = n; i > 0; --i) y[i - 1] = 1; }"),
            "for i_turn = 0 to n\n  y[n - i_turn - 1] = 1.0\n");
}

TEST(Inductions, OnTheWayOfAChoice) {
  EXPECT_THAT(movedBy("const float *p = x; if (m > 0) p += m; for (int i = 0; i < n; i++) y[i] = *p++;"),
              HasSubstr("x[max(0, m) + i]"));
  EXPECT_THAT(whyNot("const float *p; if (m > 0) p = x; else p = y; for (int i = 0; i < n; i++) y[i] = *p++;"),
              HasSubstr("'p' leads to one array or to another"));
}

TEST(Inductions, AreWithinHelpers) {
  EXPECT_THAT(dumped("inline float dot(const float *a, const float *b, int n) { float s = 0; while (n--) s += *a++ * "
                     "*b++; return s; }\nvoid f(float *y, const float *a, const float *x, int n, int m) { for (int i = "
                     "0; i < n; i++) y[i] = dot(a + i * m, x, m); }"),
              HasSubstr("a[i * m + n_turn] * x[n_turn]"));
}

TEST(Inductions, LeftAlone) {
  EXPECT_THAT(whyNot("int k = 0; for (int i = 0; i < n; i++) { y[i] = x[k]; k += i; }"),
              HasSubstr("'k' does not move by the same in each turn"));
  EXPECT_THAT(whyNot("int k = 0; for (int i = 0; i < n; i++) if (x[i] > 0) y[k++] = x[i];"),
              HasSubstr("'k_1' changes, and is a subscript"));
  EXPECT_THAT(whyNot("int k = 0; for (int i = 0; i < n; i++) y[k] = x[k++];"),
              HasSubstr("'k' is read beside a call that changes it"));
  EXPECT_THAT(whyNot("for (int s = 0; s < m; s++) { for (int i = 0; i < n; i++) y[i] += 1; float *t = y; y = t + 1; }"),
              HasSubstr("pointer"));
  EXPECT_THAT(whyNot("int j = n; for (int i = 0; i < j; i++) { y[i] = x[j]; j -= i; }"), testing::Not(""));
  EXPECT_THAT(whyNot("int i = 0; while (i * i < n && x[i] > 0) y[i++] = 1;"), testing::Not(""));
}

} // namespace
