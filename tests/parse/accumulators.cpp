// Variables that gather numbers without a sign, or truth values, are held as integers that C++ computes in.
#include "source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace polymend::test;
using testing::HasSubstr;

namespace {

std::string gathered(const std::string &statements) {
  return bodyOf("#include <algorithm>\n#include <cstddef>\n"
                "void f(double *y, const unsigned *u, const float *x, const unsigned char *b, bool *t, int n) {\n" +
                statements + "\n}\n");
}

TEST(Accumulators, SumsModulo2To32AreBroughtIntoTheirTypeWhereTheyAreRead) {
  const std::string text = gathered("unsigned s = 1; for (int i = 0; i < n; ++i) s += b[i]; y[0] = s;");
  EXPECT_THAT(text, HasSubstr("s = s + int(b[i])\n"));
  EXPECT_THAT(text, HasSubstr("y[0] = double(std::int64_t(std::uint32_t(s)))\n"));
  EXPECT_THAT(gathered("unsigned s = 1; for (int i = 0; i < n; ++i) if (x[i] > 0) --s; y[0] = s;"),
              HasSubstr("s = 0.0 < x[i] ? s - 1 : s\n"));
  EXPECT_THAT(gathered("unsigned s = 1; for (int i = 0; i < n; ++i) s = 3 + s - u[i] * u[i]; y[0] = s;"),
              HasSubstr("s = s - std::int64_t(int("));
}

TEST(Accumulators, OfWhatIsNoSumStayAsTheyAre) {
  EXPECT_THAT(gathered("unsigned s = 1; for (int i = 0; i < n; ++i) s = 3 * s + u[i]; y[0] = s;"),
              HasSubstr("s = std::uint32_t("));
  EXPECT_THAT(gathered("unsigned s = 1; for (int i = 0; i < n; ++i) s = u[i] - s; y[0] = s;"),
              HasSubstr("s = std::uint32_t("));
  EXPECT_THAT(gathered("unsigned s = 1; for (int i = 0; i < n; ++i) s += s / 2; y[0] = s;"),
              HasSubstr("s = std::uint32_t("));
  EXPECT_THAT(gathered("unsigned s = 1; for (int i = 0; i < n; ++i) { s += u[i]; s = std::max(s, 7u); } y[0] = s;"),
              HasSubstr("s = max(std::int64_t(std::uint32_t(s + std::int64_t(u[i]))), 7)"));
}

TEST(Accumulators, ExtremesAreThoseOfNumbersOf64Bits) {
  const std::string text = gathered("unsigned m = 0; for (int i = 0; i < n; ++i) if (u[i] > m) m = u[i]; y[0] = m;");
  EXPECT_THAT(text, HasSubstr("m = m < std::int64_t(u[i]) ? std::int64_t(u[i]) : m\n"));
  EXPECT_THAT(text, HasSubstr("y[0] = double(m)\n"));
  EXPECT_THAT(gathered("unsigned m = 0; for (int i = 0; i < n; ++i) m = std::max(m, u[i]); y[0] = m;"),
              HasSubstr("m = max(m, std::int64_t(u[i]))\n"));
}

TEST(Accumulators, TruthsAreMaximaAndMinima) {
  const auto step = [](const std::string &statement) {
    return gathered("bool v = true; for (int i = 0; i < n; ++i) " + statement + " t[0] = v;");
  };
  EXPECT_THAT(step("v = v || x[i] > 0;"), HasSubstr("v = max(v, 0.0 < x[i] ? 1 : 0)\n"));
  EXPECT_THAT(step("v |= x[i] > 0;"), HasSubstr("v = max(v, 0.0 < x[i] ? 1 : 0)\n"));
  EXPECT_THAT(step("v &= x[i] > 0;"), HasSubstr("v = min(v, 0.0 < x[i] ? 1 : 0)\n"));
  EXPECT_THAT(step("v = x[i] > 0 && v;"), HasSubstr("v = min(v, 0.0 < x[i] ? 1 : 0)\n"));
  EXPECT_THAT(step("if (x[i] > 0) v = true;"), HasSubstr("v = max(v, 0.0 < x[i] ? 1 : 0)\n"));
  EXPECT_THAT(step("if (x[i] > 0) v = false;"), HasSubstr("v = min(v, 0.0 < x[i] ? 0 : 1)\n"));
  EXPECT_THAT(step("v = x[i] > 0 ? v : true;"), HasSubstr("v = max(v, 0.0 < x[i] ? 0 : 1)\n"));
  EXPECT_THAT(step("v = x[i] > 0 ? v : false;"), HasSubstr("v = min(v, 0.0 < x[i] ? 1 : 0)\n"));
  EXPECT_THAT(step("v |= x[i] > 0;"), HasSubstr("t[0] = v != 0\n"));
  EXPECT_THAT(step("v = v != (x[i] > 0);"), HasSubstr("t[0] = v\n"));
  EXPECT_THAT(step("v = !v || x[i] > 0;"), HasSubstr("t[0] = v\n"));
}

TEST(Accumulators, CountersOf64BitsWithoutASignCountUp) {
  EXPECT_THAT(gathered("std::size_t c = 0; for (int i = 0; i < n; ++i) if (x[i] > 0) ++c; y[0] = (double)c / n;"),
              HasSubstr("c = 0.0 < x[i] ? c + 1 : c\n"));
  EXPECT_THAT(gathered("std::size_t c = 0; for (int i = 0; i < n; ++i) c = c + u[i] + 2; y[0] = c;"),
              HasSubstr("c = c + std::int64_t(u[i]) + 2\n"));
}

TEST(Accumulators, VariablesOf64BitsWithoutASignBecomeAnyWord) {
  EXPECT_THAT(gathered("std::size_t c = 9; for (int i = 0; i < n; ++i) --c; y[0] = c;"),
              HasSubstr("c = polymend_rt::wordDifference(c, 1)\n"));
  EXPECT_THAT(gathered("std::size_t c = 9; for (int i = 0; i < n; ++i) c += c * c; y[0] = c;"),
              HasSubstr("c = c + polymend_rt::wordProduct(c, c)\ny[0] = polymend_rt::wordAsDouble(c)"));
  EXPECT_THAT(gathered("std::size_t c = 9; for (int i = 0; i < n; ++i) c -= u[i]; y[0] = c;"),
              HasSubstr("c = polymend_rt::wordDifference(c, std::int64_t(u[i]))\n"));
  EXPECT_THAT(gathered("std::size_t c = -1; for (int i = 0; i < n; ++i) c += u[i]; y[0] = c;"), HasSubstr("c = -1\n"));
  EXPECT_THAT(gathered("std::size_t c = 1; for (int i = 0; i < n; ++i) c += (long)x[i]; y[0] = c;"),
              HasSubstr("calls ::f_c"));
}

} // namespace
