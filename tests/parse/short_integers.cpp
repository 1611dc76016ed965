// Integers of 8, 16 and 32 bits without a sign, as elements and variables: what is read is promoted, what is stored
// wraps around as a conversion of C++ does.
#include "source.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::test;

namespace {

std::string statement(const std::string &types, const std::string &code) {
  return bodyOf("void f(" + types + ", int n) { for (int i = 0; i < n; i++) " + code + " }");
}

TEST(ShortIntegers, AnElementIsPromotedToInt) {
  EXPECT_NE(statement("float *y, const unsigned char *x", "y[i] = x[i] + 1;").find("int(x[i]) + 1"), std::string::npos);
  EXPECT_NE(statement("float *y, const short *x", "y[i] = x[i];").find("float(int(x[i]))"), std::string::npos);
  EXPECT_NE(statement("long *y, const unsigned *x", "y[i] = x[i];").find("std::int64_t(x[i])"), std::string::npos);
}

TEST(ShortIntegers, WhatIsStoredIsConverted) {
  const std::string wraps = statement("unsigned char *y, const unsigned char *x", "y[i] = x[i] + 200;");
  EXPECT_NE(wraps.find("std::uint8_t(int(x[i]) + 200)"), std::string::npos) << wraps;
  const std::string copied = statement("signed char *y, const signed char *x", "y[i] = x[i];");
  EXPECT_NE(copied.find("y[i] = x[i]"), std::string::npos) << copied;
  const std::string counted = statement("unsigned short *y", "y[i]++;");
  EXPECT_NE(counted.find("std::uint16_t(int(y[i]) + 1)"), std::string::npos) << counted;
}

TEST(ShortIntegers, AVariableOfEightBitsHoldsEight) {
  const std::string text =
      statement("int *y, const unsigned char *x", "{ const unsigned char v = x[i] + 200; y[i] = v; }");
  EXPECT_NE(text.find("int(std::uint8_t(int(x[i]) + 200))"), std::string::npos) << text;
  const std::string fits = statement("int *y, const unsigned char *x", "{ unsigned char v = x[i]; y[i] = v; }");
  EXPECT_EQ(fits.find("uint8_t"), std::string::npos) << fits;
}

TEST(ShortIntegers, AProductOfUnsignedNumbersIsThatOfNumbersWithASign) {
  const std::string product = statement("unsigned *y, const unsigned *x", "y[i] = x[i] * x[i + 1];");
  EXPECT_NE(product.find("y[i] = std::uint32_t(std::int64_t(int(std::int64_t(x[i]))) * "
                         "std::int64_t(int(std::int64_t(x[i + 1]))))"),
            std::string::npos)
      << product;
  EXPECT_EQ(
      whyLeft("void f(unsigned long *y, const unsigned *x, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * 3ul; }"),
      "")
      << "64 bits with a sign hold it";
  const std::string sum = statement("unsigned *y, const unsigned *x", "y[i] = x[i] + x[i + 1];");
  EXPECT_NE(sum.find("std::uint32_t(std::int64_t(x[i]) + std::int64_t(x[i + 1]))"), std::string::npos) << sum;
}

TEST(ShortIntegers, ALoopOfSixteenBitsEndsWhereTheyEnd) {
  EXPECT_NE(dumped("void f(float *y, int n) { for (short i = 0; i < n; i++) y[i] = 1; }").find("given n <= 32767"),
            std::string::npos);
  EXPECT_NE(
      dumped("void f(float *y, int n) { for (unsigned char i = 0; i < n; i++) y[i] = 1; }").find("given n <= 255"),
      std::string::npos);
  EXPECT_EQ(dumped("void f(float *y) { for (short i = 0; i < 100; i++) y[i] = 1; }").find("given"), std::string::npos);
}

TEST(ShortIntegers, BytesMayLieAnywhere) {
  EXPECT_NE(
      dumped("struct S { int n; }; void f(const S &s, unsigned char *y) { for (int i = 0; i < s.n; i++) y[i] = 1; }")
          .find("beside y: s.n"),
      std::string::npos)
      << "entries ask";
  EXPECT_EQ(whyLeft("struct S { int n; }; void f(S s, unsigned char *y) { for (int i = 0; i < s.n; i++) y[i] = 1; }"),
            "");
}

} // namespace
