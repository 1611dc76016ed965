// Strides that are written as products, so that the dimensions of a flat array can be told.
#include "source.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::test;
using testing::HasSubstr;
using testing::Not;

namespace {

TEST(Strides, OfTheirOwnAreMultiplesOfTheNext) {
  const std::string text = dumped("void f(float *y, long p, long q, int n, int m) { for (int i = 0; i < n; i++) for "
                                  "(int j = 0; j < m; j++) y[i * p + j * q] = 1; }");
  EXPECT_THAT(text, HasSubstr("y[i * (q * quotient) + j * q] = 1"));
  EXPECT_THAT(text, HasSubstr("given p == q * quotient"));
}

TEST(Strides, AreOrderedAsTheSourceAddsThem) {
  const std::string text = dumped("void f(float *y, int p, int q, int n) { for (int i = 0; i < n; i++) for (int j = 0; "
                                  "j < n; j++) for (int k = 0; k < n; k++) y[k * p + i * q + j] = 1; }");
  EXPECT_THAT(text, HasSubstr("given p == q * quotient"));
  EXPECT_THAT(text, Not(HasSubstr("q == ")));
}

TEST(Strides, WithAQuotientMakeItsDividendAProduct) {
  const std::string text =
      dumped("void f(float *y, int n, int c, int heads) { const int d = c / heads; for (int i = 0; i < n; i++) for "
             "(int h = 0; h < heads; h++) for (int k = 0; k < d; k++) y[i * c + h * d + k] = 1; }");
  EXPECT_THAT(text, HasSubstr("y[i * (heads * quotient) + h * quotient + k] = 1"));
  EXPECT_THAT(text, HasSubstr("given c == heads * quotient"));
}

TEST(Strides, AskNothingWhereTheyDivideOrElementsAreOnlyRead) {
  const std::string dividing =
      dumped("void f(float *y, int n, int m, int k) { for (int i = 0; i < n; i++) for (int j = "
             "0; j < m; j++) for (int l = 0; l < k; l++) y[i * m * k + j * k + l] = 1; }");
  EXPECT_THAT(dividing, Not(HasSubstr("given m")));
  EXPECT_THAT(dividing, Not(HasSubstr("quotient")));
  const std::string read =
      dumped("void f(float *y, const float *x, long p, long q, int n) { for (int i = 0; i < n; i++) "
             "for (int j = 0; j < n; j++) y[i * n + j] = x[i * p + j * q]; }");
  EXPECT_THAT(read, Not(HasSubstr("given p")));
  EXPECT_THAT(read, HasSubstr("x[i * p + j * q]"));
}

TEST(Strides, OfWhatIsReadAreProductsWhereThoseAreKnown) {
  const std::string text =
      dumped("void f(float *y, const float *x, int n, int c, int heads) { const int d = c / heads; for (int i = 0; i < "
             "n; i++) for (int h = 0; h < heads; h++) for (int k = 0; k < d; k++) y[i * c + h * d + k] = x[i * c * 3 + "
             "h * d + k + c]; }");
  EXPECT_THAT(text, HasSubstr("x[3 * (i * (heads * quotient)) + h * quotient + k + heads * quotient]"));
}

TEST(DerivedSizes, AreFactorsOfOthers) {
  const std::string text = dumped(
      "void f(float *y, int n, int c, int g) { const int d = c / g; for (int i = 0; i < d * n; i++) y[i] = 1; }");
  EXPECT_THAT(text, HasSubstr("given product == quotient * n"));
}

} // namespace
