// std::complex as two numbers that lie behind each other.
#include "source.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::test;
using testing::HasSubstr;

namespace {

std::string complexLoop(const std::string &statements) {
  return "#include <complex>\nusing C = std::complex<float>;\nvoid f(C *y, const C *x, float *r, float s, int n) { for "
         "(int i = 0; i < n; i++) { " +
         statements + " } }";
}

} // namespace

TEST(Complex, SumsArePartByPart) {
  EXPECT_EQ(bodyOf(complexLoop("y[i] = x[i] + x[n - 1 - i];")),
            "for i = 0 to n\n"
            "  y_elements[i][0] = x_elements[i][0] + x_elements[n - i - 1][0]\n"
            "  y_elements[i][1] = x_elements[i][1] + x_elements[n - i - 1][1]\n");
  EXPECT_THAT(bodyOf(complexLoop("y[i] += s;")), testing::Not(HasSubstr("[1]"))) << "the imaginary part stays";
  EXPECT_THAT(bodyOf(complexLoop("y[i] = s - x[i];")), HasSubstr("y_elements[i][1] = -x_elements[i][1]"));
}

TEST(Complex, ProductsAreThoseOfTheStandard) {
  const std::string read = bodyOf(complexLoop("C t = x[i]; t *= y[i]; y[i] = t;"));
  EXPECT_THAT(read, HasSubstr("realOfProduct(t_re, t_im, y_elements[i][0], y_elements[i][1])"));
  EXPECT_THAT(read, HasSubstr("held = polymend_rt::imaginaryOfProduct(t_re")) << "before the real part changes";
  EXPECT_THAT(bodyOf(complexLoop("y[i] = s * x[i] / 2.0f;")),
              HasSubstr("y_elements[i][1] = x_elements[i][1] * s / 2.0"));
}

TEST(Complex, NumbersAreMadeOfThem) {
  EXPECT_THAT(bodyOf(complexLoop("r[i] = std::norm(x[i]);")),
              HasSubstr("x_elements[i][0] * x_elements[i][0] + x_elements[i][1] * x_elements[i][1]"));
  EXPECT_THAT(bodyOf(complexLoop("r[i] = std::abs(x[i]) + std::arg(x[i]);")), HasSubstr("atan2(x_elements[i][1], "));
  EXPECT_THAT(bodyOf(complexLoop("y[i].real(s);")), HasSubstr("y_elements[i][0] = s"));
}

TEST(Complex, WhatALibraryDoesInItsOwnWayIsLeft) {
  EXPECT_THAT(whyLeft(complexLoop("y[i] = x[i] / y[i];")), HasSubstr("by their real and imaginary parts"));
  EXPECT_THAT(whyLeft(complexLoop("y[i] = std::exp(x[i]);")), HasSubstr("'exp' of complex numbers"));
  EXPECT_THAT(whyLeft(complexLoop("y[i] = std::pow(x[i], 2);")), testing::Not(""));
}
