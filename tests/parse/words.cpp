// Numbers of 64 bits without a sign, and functions of the bits of numbers: what is done to them in 64 bits with a sign.
#include "source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::test;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string words(const std::string &code) {
  return bodyOf(
      "#include <algorithm>\n#include <bit>\n#include <utility>\nusing W = unsigned long;\nvoid f(W *y, const W *a, "
      "const W *b, const int *k, double *z, int n) { for (int i = 0; i < n; i++) " +
      code + " }");
}

std::string left(const std::string &code) {
  return whyLeft(
      "#include <algorithm>\nusing W = unsigned long;\nvoid f(W *y, const W *a, const W *b, const int *k, float "
      "*z, W n, W s) { " +
      code + " }");
}

} // namespace

TEST(Words, SumsAndProductsAreModuloTheirWidth) {
  EXPECT_THAT(words("y[i] = a[i] * 3;"), HasSubstr("wordProduct(3, a[i])"));
  EXPECT_THAT(words("y[i] = a[i] + b[i] * b[i];"), HasSubstr("wordSum(a[i], polymend_rt::wordProduct(b[i], b[i]))"));
  EXPECT_THAT(words("y[i] = ~a[i];"), Not(HasSubstr("word"))) << "no overflow";
  EXPECT_THAT(words("y[i] = -a[i];"), HasSubstr("wordDifference(0, a[i])"));
  EXPECT_THAT(words("y[i] += a[i];"), HasSubstr("y[i] + a[i]")) << "a sum stays one";
}

TEST(Words, ShiftsBringZerosIn) {
  EXPECT_THAT(words("y[i] = a[i] >> 3;"), HasSubstr("2305843009213693951"));
  EXPECT_THAT(words("y[i] = a[i] >> (k[i] & 63);"), HasSubstr("wordShiftedRight(a[i], "));
  EXPECT_THAT(words("y[i] = a[i] << 7;"), HasSubstr("<< 7"));
}

TEST(Words, AreComparedWithoutASign) {
  const std::string sign = "-9223372036854775808";
  EXPECT_THAT(words("y[i] = a[i] < b[i] ? 1 : 0;"), HasSubstr(sign));
  EXPECT_THAT(words("y[i] = std::max(a[i], b[i]);"), HasSubstr(sign));
  EXPECT_THAT(words("y[i] = a[i] == b[i] ? 1 : 0;"), Not(HasSubstr(sign)));
  EXPECT_THAT(words("y[i] = (a[i] & 7) < (b[i] & 3) ? 1 : 0;"), Not(HasSubstr(sign))) << "both are small";
  EXPECT_THAT(words("y[i] = a[i] / b[i];"), HasSubstr("wordQuotient(a[i], b[i])"));
  EXPECT_THAT(words("z[i] = a[i];"), HasSubstr("wordAsDouble(a[i])"));
}

TEST(Words, ACounterStaysOneUntilItBecomesAnything) {
  EXPECT_EQ(left("W c = 0; for (W i = 0; i < n; i++) c += k[i] > 0; y[0] = c;"), "");
  EXPECT_EQ(
      left("for (W i = 0; i < n; i++) { W h = 7; for (int j = 0; j < 9; j++) h = h * 31 + a[9 * i + j]; y[i] = h; }"),
      "");
}

TEST(Words, BoundNoLoopAndLeadNowhere) {
  EXPECT_THAT(left("for (W i = 0; i < n; i++) { const W to = k[i]; for (W j = 0; j < to; j++) y[j] = 1; }"),
              HasSubstr("may be negative and wrap around"));
  EXPECT_THAT(left("for (W i = 0; i < n; i++) for (W j = 0; j < a[i] - 1; j++) y[j] = 1;"), HasSubstr("wrap around"));
  EXPECT_THAT(left("for (W i = 0; i < n; i++) { const W at = a[i] * 3; z[i] = z[at]; }"), HasSubstr("wrap around"));
  EXPECT_THAT(left("for (W i = 0; i < ~0ul; i++) y[i] = 1;"), HasSubstr("too large"));
}

TEST(Words, CountsOfBits) {
  EXPECT_THAT(words("y[i] = std::popcount(a[i]);"), HasSubstr("onesIn(a[i])"));
  EXPECT_THAT(words("y[i] = std::countl_zero((unsigned)k[i]);"), HasSubstr("- 32"));
  EXPECT_THAT(words("y[i] = std::countr_zero((unsigned char)k[i]);"), HasSubstr("min("));
  EXPECT_THAT(words("y[i] = std::rotl(a[i], 0);"), HasSubstr("y[i] = a[i]"));
  EXPECT_THAT(words("y[i] = __builtin_parityll(a[i]);"), HasSubstr("onesIn(a[i])"));
}

TEST(Words, WhatIsExchangedIsKept) {
  EXPECT_THAT(words("{ W w = a[i]; const W old = std::exchange(w, b[i]); y[i] = old ^ w; }"), HasSubstr("held"));
  EXPECT_EQ(left("W w = 1; for (W i = 0; i < n; i++) w = w + 1;"), "");
}
