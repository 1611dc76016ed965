// Scalars that hold a value within one turn of a loop: their value or the element that they become takes their place,
// unless somebody would see the difference.
#include "../compilation.h"

#include "polymend/without_scalars.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

/// How the function's body reads without its scalars; empty: they stay.
std::string bodyWithout(const std::string &text) {
  const auto t = analyse(text);
  const auto fewer = withoutScalars(t.trace.function, *t.trace.scop, *t.trace.dependences);
  if (!fewer) return "";
  Nest nest;
  nest.functions = {*fewer};
  const std::string all = dump(nest);
  return all.substr(all.find("  for "));
}

} // namespace

TEST(WithoutScalars, KeepsASumInTheElementThatItBecomes) {
  EXPECT_EQ(bodyWithout(R"(void f(int n, const double *l, const double *b, double *x) {
    for (int i = 0; i < n; i++) {
      double w = b[i];
      for (int j = 0; j < i; j++) w -= l[i * n + j] * x[j];
      x[i] = w / l[i * n + i];
    } })"),
            "  for i = 0 to n\n"
            "    x[i] = b[i]\n"
            "    for j = 0 to i\n"
            "      x[i] = x[i] - l[i * n + j] * x[j]\n"
            "    x[i] = x[i] / l[i * n + i]\n");
}

TEST(WithoutScalars, DropsWhatTheElementHasAlready) {
  EXPECT_EQ(bodyWithout(R"(void f(int n, double *a) {
    for (int i = 1; i < n; i++) {
      double w = a[i];
      for (int k = 0; k < i; k++) w += a[k] * a[k];
      a[i] = w;
    } })"),
            "  for i = 1 to n\n"
            "    for k = 0 to i\n"
            "      a[i] = a[i] + a[k] * a[k]\n");
}

TEST(WithoutScalars, PutsAValueWhereItIsRead) {
  EXPECT_EQ(bodyWithout(R"(void f(int n, double *a) {
    for (int i = 1; i < n; i++) {
      const double before = a[i - 1] + a[i];
      a[i] = a[i] * before;
    } })"),
            "  for i = 1 to n\n"
            "    a[i] = a[i] * (a[i - 1] + a[i])\n");
}

TEST(WithoutScalars, RoundsAsTheScalarDoes) {
  EXPECT_EQ(bodyWithout(R"(void f(int n, double *a) {
    for (int i = 1; i < n; i++) {
      const float before = a[i - 1];
      a[i] = a[i] * before;
    } })"),
            "  for i = 1 to n\n"
            "    a[i] = a[i] * double(float(a[i - 1]))\n");
}

TEST(WithoutScalars, KeepsWhatTheElementIsReadBeforeItIsStored) {
  EXPECT_EQ(bodyWithout(R"(void f(int n, const double *l, const double *b, double *x) {
    for (int i = 0; i < n; i++) {
      double w = b[i];
      for (int j = 0; j < n; j++) w -= l[i * n + j] * x[j];
      x[i] = w;
    } })"),
            "");
}

TEST(WithoutScalars, KeepsWhatTheElementIsWrittenBeforeItIsStored) {
  EXPECT_EQ(bodyWithout(R"(void f(int n, const double *b, double *x) {
    for (int i = 0; i < n; i++) {
      double w = 0;
      for (int j = 0; j < i; j++) {
        w += b[j];
        x[i - j] = b[j];
        x[i] = b[i];
      }
      x[i] = w;
    } })"),
            "");
}

TEST(WithoutScalars, StoresNothingWhereTheSourceStoresNothing) {
  EXPECT_EQ(bodyWithout(R"(void f(int n, int m, const double *b, double *x, double *s) {
    for (int i = 0; i < n; i++) {
      double w = 1;
      for (int j = 0; j < i; j++) w *= b[j] + s[0];
      s[0] = 2 * w;
      if (i < m) x[i] = w;
    } })"),
            "");
}

TEST(WithoutScalars, KeepsAnotherPrecision) {
  EXPECT_EQ(bodyWithout(R"(void f(int n, const float *l, float *x) {
    for (int i = 0; i < n; i++) {
      double w = 0;
      for (int j = 0; j < i; j++) w += l[i * n + j] * x[j];
      x[i] = w;
    } })"),
            "");
}

TEST(WithoutScalars, KeepsAnExchange) {
  EXPECT_EQ(bodyWithout(R"(void f(int n, double *a) {
    for (int i = 1; i < n; i++) {
      const double t = a[i];
      a[i] = a[i - 1];
      a[i - 1] = t;
    } })"),
            "");
}

TEST(WithoutScalars, KeepsWhatTheNextTurnReads) {
  EXPECT_EQ(bodyWithout(R"(void f(int n, const double *x, double *y) {
    double last = 0;
    for (int i = 0; i < n; i++) {
      last = 0.5 * last + x[i];
      y[i] = last;
    } })"),
            "");
}

TEST(WithoutScalars, ComputesNothingTwice) {
  EXPECT_EQ(bodyWithout(R"(void f(int n, double *a) {
    for (int i = 1; i < n; i++) {
      const double t = a[i - 1] * a[i - 1];
      a[i] = t * a[i] + t;
    } })"),
            "");
}

TEST(WithoutScalars, PutsASumWhereverItIsRead) {
  EXPECT_EQ(bodyWithout(R"(void f(int n, double *a, double *b) {
    for (int i = 1; i < n; i++) {
      const double sum = a[i - 1] + a[i];
      b[i] = b[i - 1] * sum;
      a[i] = sum < a[i] ? sum : a[i];
    } })"),
            "  for i = 1 to n\n"
            "    b[i] = b[i - 1] * (a[i - 1] + a[i])\n"
            "    a[i] = min(a[i], a[i - 1] + a[i])\n");
  EXPECT_EQ(bodyWithout(R"(void f(int n, double *a, double *b) {
    for (int i = 1; i < n; i++) {
      const double sum = a[i - 1] + a[i];
      a[i] = 2 * sum;
      b[i] += b[i - 1] * sum;
    } })"),
            "")
      << "the second reader comes when the element has changed";
}
