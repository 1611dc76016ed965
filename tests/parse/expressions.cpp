// Values: types and conversions, the math library, selections, constants, inlined helpers.
#include "source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace polymend::test;
using testing::HasSubstr;

namespace {

const char *const Head = "#include <algorithm>\n#include <cfloat>\n#include <cmath>\n#include <limits>\n";

/// What y[i] is set to by `statement`, or why the function was left alone.
std::string valueOf(const std::string &expression, const std::string &before = "") {
  std::string text =
      bodyOf(Head + before + "\nvoid f(float *y, const float *x, const double *d, const int *t, float s, int n) {\n" +
             "for (int i = 0; i < n; ++i) y[i] = " + expression + ";\n}\n");
  const std::string mark = "y[i] = ";
  const auto at = text.find(mark);
  if (at == std::string::npos || text.starts_with("calls ")) return text;
  return text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
}

TEST(Values, ConversionsAreKept) {
  EXPECT_EQ(valueOf("x[i] * 2"), "x[i] * 2.0");
  EXPECT_EQ(valueOf("x[i] * 0.5"), "float(double(x[i]) * 0.5)");
  EXPECT_EQ(valueOf("0.1"), "0.1");
  EXPECT_EQ(valueOf("x[i] + d[i]"), "float(double(x[i]) + d[i])");
  EXPECT_EQ(valueOf("(float)d[i] + static_cast<float>(i) + float(n)"), "float(d[i]) + float(i) + float(n)");
  EXPECT_EQ(valueOf("-(i - n) * s"), "float(n - i) * s");
  EXPECT_EQ(valueOf("-x[i]"), "-x[i]");
}

TEST(Values, NarrowFloatingTypes) {
  EXPECT_EQ(
      bodyOf("void f(const __bf16 *x, _Float16 *y, float *z, int n) {\n"
             "for (int i = 0; i < n; ++i) { y[i] = (_Float16)(float)x[i]; z[i] += (float)x[i] * (float)y[i]; }\n}\n"),
      "for i = 0 to n\n  y[i] = _Float16(float(x[i]))\n  z[i] = z[i] + float(x[i]) * float(y[i])\n");
}

TEST(Values, MathInTheTypeOfTheOverload) {
  EXPECT_EQ(valueOf("std::exp(x[i])"), "exp(x[i])");
  EXPECT_EQ(valueOf("expf(x[i])"), "exp(x[i])");
  EXPECT_EQ(valueOf("::exp(d[i])"), "float(exp(d[i]))");
  EXPECT_EQ(valueOf("__builtin_exp(x[i])"), "float(exp(double(x[i])))");
  EXPECT_EQ(valueOf("std::sqrt(n)"), "float(sqrt(double(n)))");
  EXPECT_EQ(valueOf("std::pow(x[i], 2)"), "float(pow(double(x[i]), 2.0))");
  EXPECT_EQ(valueOf("std::fma(x[i], s, y[i])"), "fma(x[i], s, y[i])");
  EXPECT_EQ(valueOf("erff(x[i]) + std::tanh(x[i]) + std::fabs(x[i])"), "erf(x[i]) + tanh(x[i]) + abs(x[i])");
  EXPECT_EQ(valueOf("exp2f(x[i]) - log2f(s) + std::log(s)"), "exp2(x[i]) - log2(s) + log(s)");
  EXPECT_EQ(valueOf("fmaxf(x[i], s) + std::fmin(x[i], s)"), "fmax(x[i], s) + fmin(x[i], s)");
  EXPECT_EQ(valueOf("std::abs(i - n)"), "float(max(i - n, n - i))");
}

TEST(Values, MaximaKeepTheirMeaningForNaN) {
  EXPECT_EQ(valueOf("std::max(x[i], s)"), "max(x[i], s)");
  EXPECT_EQ(valueOf("std::min(x[i], s)"), "min(x[i], s)");
  EXPECT_EQ(valueOf("x[i] < s ? s : x[i]"), "max(x[i], s)");
  EXPECT_EQ(valueOf("x[i] > s ? x[i] : s"), "max(s, x[i])");
  EXPECT_EQ(valueOf("x[i] < s ? x[i] : s"), "min(s, x[i])");
  EXPECT_EQ(valueOf("x[i] > s ? s : x[i]"), "min(x[i], s)");
  EXPECT_EQ(valueOf("x[i] >= s ? x[i] : s"), "s <= x[i] ? x[i] : s");
  EXPECT_EQ(valueOf("!(x[i] < s) ? x[i] : s"), "max(x[i], s)");
  EXPECT_EQ(valueOf("i >= n ? i : n"), "float(max(n, i))");
  EXPECT_EQ(valueOf("std::clamp(x[i], 0.0f, s)"), "x[i] < 0.0 ? 0.0 : min(x[i], s)");
}

TEST(Values, Constants) {
  EXPECT_EQ(valueOf("-INFINITY"), "-INFINITY");
  EXPECT_EQ(valueOf("-std::numeric_limits<float>::infinity()"), "-INFINITY");
  EXPECT_EQ(valueOf("std::numeric_limits<float>::lowest()"), "-3.4028235e+38");
  EXPECT_EQ(valueOf("-FLT_MAX"), "-3.4028235e+38");
  EXPECT_EQ(valueOf("std::numeric_limits<float>::epsilon()"), "1.1920929e-07");
  EXPECT_EQ(valueOf("x[i] * scale", "constexpr float scale = 1.0f / 8;"), "x[i] * 0.125");
  EXPECT_EQ(valueOf("x[i] * k", "enum { k = 3 };"), "x[i] * 3.0");
  EXPECT_EQ(valueOf("w[i]", "static const float w[4] = {1, 2, 3, 4};"), "w[i]");
}

TEST(Values, LiteralsAreFoldedAsIeeeRoundsThem) {
  EXPECT_EQ(valueOf("x[i] / std::sqrt(64.0f)"), "x[i] / 8.0");
  EXPECT_EQ(valueOf("x[i] * (1.0f / 3.0f)"), "x[i] * 0.33333334");
  EXPECT_EQ(valueOf("x[i] * (1.0f / 0.0f)"), "x[i] * (1.0 / 0.0)");
  EXPECT_EQ(valueOf("x[i] + std::exp(1.0f)"), "x[i] + exp(1.0)");
}

TEST(Values, HelpersAreInlined) {
  EXPECT_EQ(valueOf("silu(x[i])", "static inline float silu(float v) { return v / (1.0f + std::exp(-v)); }"),
            "x[i] / (1.0 + exp(-x[i]))");
  EXPECT_EQ(valueOf("sq(sq(x[i]))", "template <class T> T sq(const T &v) { return v * v; }"),
            "x[i] * x[i] * (x[i] * x[i])");
  EXPECT_EQ(valueOf("at(x, i, 2)", "inline float at(const float *p, int r, int c) { return p[r * 8 + c]; }"),
            "x[8 * i + 2]");
  EXPECT_EQ(valueOf("half(d[i])", "inline float half(float v) { return v / 2; }"), "float(d[i]) / 2.0");
}

TEST(Values, ShiftsAndMasksOfConstants) {
  EXPECT_EQ(valueOf("x[i << 2]"), "x[4 * i]");
  EXPECT_EQ(valueOf("x[(i >> 3) + (i & 7)]"), "x[floordiv(i, 8) + floormod(i, 8)]");
}

TEST(Values, HelpersOfSeveralStatements) {
  EXPECT_EQ(valueOf("leaky(x[i])", "float leaky(float v) { if (v > 0) return v; return 0.5f * v; }"),
            "0.0 < x[i] ? x[i] : 0.5 * x[i]");
  EXPECT_EQ(valueOf("pick(x[i])", "float pick(float v) { if constexpr (sizeof(v) == 4) return v; else return -v; }"),
            "x[i]");
  EXPECT_EQ(valueOf("x[i] > 1 ? sq(x[i]) : 0", "float sq(float v) { const float w = v + 1; return w * w; }"),
            "1.0 < x[i] ? (x[i] + 1.0) * (x[i] + 1.0) : 0.0");
  EXPECT_EQ(valueOf("[&] { return x[i]; }()"), "x[i]");
  EXPECT_EQ(valueOf("std::max({x[i], y[i], 1.0f})"), "max(max(x[i], y[i]), 1.0)");
}

TEST(Values, IndicesMayReadIntegers) { EXPECT_EQ(valueOf("x[t[i] + 1]"), "x[t[i] + 1]"); }

TEST(Values, BitsOfDataStayBits) {
  EXPECT_EQ(valueOf("t[i] & t[i + 1]"), "float(t[i] & t[i + 1])");
  EXPECT_EQ(valueOf("t[i] & 12"), "float(t[i] & 12)");
  EXPECT_EQ(valueOf("t[i] & 15"), "float(floormod(t[i], 16))");
  EXPECT_EQ(valueOf("15 & t[i]"), "float(floormod(t[i], 16))");
  EXPECT_EQ(valueOf("(t[i] | 4) ^ t[i + 1]"), "float((t[i] | 4) ^ t[i + 1])");
  EXPECT_EQ(valueOf("~t[i]"), "float(-t[i] - 1)");
  EXPECT_EQ(valueOf("~(unsigned)t[i]"), "float(-std::int64_t(std::uint32_t(t[i])) + 4294967295)");
  EXPECT_EQ(valueOf("t[i] << 3"), "float(t[i] << 3)");
  EXPECT_EQ(valueOf("(signed char)t[i] << 3"), "float(8 * int(std::int8_t(t[i])))");
  EXPECT_EQ(valueOf("t[i] >> 3"), "float(floordiv(t[i], 8))");
  EXPECT_EQ(valueOf("t[i] >> t[i + 1]"), "float(t[i] >> (t[i + 1] & 31))");
  EXPECT_EQ(valueOf("1 << (t[i] & 7)"), "float(1 << floormod(t[i], 8))");
  EXPECT_EQ(valueOf("(1 << 31) >> 31"), "-1.0") << "modulo 2^32";
  EXPECT_EQ(valueOf("3 << 31"), "-2147483648.0");
  EXPECT_EQ(valueOf("(t[i] > 0) & (t[i + 1] > 0) ? x[i] : 0"), "0 < t[i] && 0 < t[i + 1] ? x[i] : 0.0");
}

TEST(Values, CompoundAssignmentsOfBits) {
  const auto stored = [](const std::string &statement) {
    return bodyOf("void f(unsigned *u, int *t, int n) { for (int i = 0; i < n; ++i) " + statement + " }");
  };
  EXPECT_THAT(stored("t[i] |= 6;"), HasSubstr("t[i] = t[i] | 6\n"));
  EXPECT_THAT(stored("t[i] %= 6;"), HasSubstr("t[i] = t[i] % 6\n"));
  EXPECT_THAT(stored("t[i] >>= t[i + 1] & 3;"), HasSubstr("t[i] = t[i] >> floormod(t[i + 1], 4)\n"));
  EXPECT_THAT(stored("u[i] ^= u[i + 1];"),
              HasSubstr("u[i] = std::uint32_t(std::int64_t(u[i]) ^ std::int64_t(u[i + 1]))\n"));
  EXPECT_THAT(stored("u[i] <<= 4;"), HasSubstr("u[i] = std::uint32_t(16 * std::int64_t(u[i]))\n"));
  EXPECT_THAT(stored("u[i] &= ~u[i + 1];"),
              HasSubstr("u[i] = std::uint32_t(std::int64_t(u[i]) & (-std::int64_t(u[i + 1]) + 4294967295))\n"));
  EXPECT_THAT(stored("t[i] /= 0;"), HasSubstr("a division by zero"));
}

TEST(Values, AMaskOfFewRunsOfBitsIsAffineInLoopVariables) {
  EXPECT_EQ(valueOf("i & 6"), "float(2 * floormod(floordiv(i, 2), 4))");
  EXPECT_EQ(valueOf("i & ~7"), "float(8 * floordiv(i, 8))");
  EXPECT_EQ(valueOf("i | 1"), "float(2 * floordiv(i, 2) + 1)");
  EXPECT_EQ(valueOf("i ^ 1"), "float(2 * floordiv(i, 2) - floormod(i, 2) + 1)");
  EXPECT_EQ(valueOf("i ^ 2"), "float(4 * floordiv(i, 4) + floormod(i, 2) - 2 * floormod(floordiv(i, 2), 2) + 2)");
  EXPECT_EQ(valueOf("(2 * i) | 1"), "float(2 * i + 1)");
  EXPECT_EQ(valueOf("((i & 1) << 9) | (i >> 1 & 511)"), "float(512 * floormod(i, 2) + floormod(floordiv(i, 2), 512))");
  EXPECT_EQ(valueOf("(t[i] & 12) << 4 | (t[i + 1] & 63)"), "float(16 * (t[i] & 12) + floormod(t[i + 1], 64))");
  EXPECT_EQ(valueOf("(t[i] & 12) << 4 | (t[i + 1] & 127)"), "float((16 * (t[i] & 12)) | floormod(t[i + 1], 128))");
  EXPECT_EQ(valueOf("i & 5"), "float(floormod(i, 2) + 4 * floormod(floordiv(i, 4), 2))");
  EXPECT_EQ(valueOf("i & ~2"), "float(floormod(i, 2) + 4 * floordiv(i, 4))");
  EXPECT_EQ(valueOf("i | 9"), "float(i - floormod(i, 2) - 8 * floormod(floordiv(i, 8), 2) + 9)");
  EXPECT_EQ(valueOf("i ^ 9"), "float(i - 2 * floormod(i, 2) - 16 * floormod(floordiv(i, 8), 2) + 9)");
  EXPECT_EQ(valueOf("i & 21"),
            "float(floormod(i, 2) + 4 * floormod(floordiv(i, 4), 2) + 16 * floormod(floordiv(i, 16), 2))");
  EXPECT_EQ(valueOf("i & 85"), "float(i & 85)");
}

TEST(Values, Refused) {
  EXPECT_THAT(valueOf("g(x[i])", "float g(float);"), HasSubstr("call of unknown function 'g'"));
  EXPECT_THAT(valueOf("x[i] > 0 ? g(x[i]) : 1", "inline float g(float v) { v += 1; return v; }"),
              HasSubstr("needs statements of its own, where none can stand"));
  EXPECT_THAT(valueOf("g(y + i) + y[i + 2]", "inline float g(float *p) { p[0] = 1; return p[1]; }"),
              HasSubstr("'y' is read beside a call that changes it"));
  EXPECT_THAT(valueOf("g(y + i, y[i])", "inline float g(float *p, float v) { p[0] = 5; p[1] = v; return v; }"),
              HasSubstr("an argument of 'g' may read 'y', which the call changes"));
  EXPECT_THAT(valueOf("g(x[i])", "int c; inline float g(float v) { for (int k = 0; k < 3; ++k) return v + c++; }"),
              HasSubstr("a return before the end"));
  EXPECT_THAT(valueOf("x[(int)std::log(x[i])]"), HasSubstr("whose last bits may be others than the source's"));
  EXPECT_THAT(valueOf("g(x[i])", "float c; inline float g(float v) { return g(v + c); }"), HasSubstr("calls itself"));
  EXPECT_THAT(valueOf("exp(x[i])", "namespace mine { float exp(float v); } using mine::exp;"),
              testing::Not(HasSubstr("= ")));
  EXPECT_THAT(valueOf("p.v", "struct P { float v; }; P p;"), HasSubstr("a member of a structure"));
  EXPECT_THAT(valueOf("(y[0] = 1)"), testing::Eq("y[0]"));
  EXPECT_THAT(valueOf("counter", "int counter;"), HasSubstr("global integer 'counter' may change"));
  EXPECT_THAT(valueOf("(long double)x[i]"), HasSubstr("'long double' is not supported"));
  EXPECT_THAT(valueOf("(unsigned char)(t[i])"), HasSubstr("int(std::uint8_t(t[i]))"));
  EXPECT_THAT(valueOf("t[i] << 32"), HasSubstr("a shift by 32 of 32 bits"));
  EXPECT_THAT(valueOf("t[i] >> -1"), HasSubstr("a shift by -1 of 32 bits"));
  EXPECT_THAT(valueOf("*(const float *)t"), HasSubstr("conversion of a pointer"));
}

} // namespace
