// What divides four numbers at once is as exact as its bound says.
#include "compiled.h"
#include "print/library.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace polymend;
using namespace polymend::print_room;

/// The text of divideFour, over the divisors that it may be given.
TEST(SharedDivision, OfFourIsWithinItsBound) {
  Needs needs;
  needs.primitives = {"divideFour"};
  needs = close(needs, tableOf(Target::Cuda));
  std::string text = libraryText(needs, tableOf(Target::Cuda)).whole();
  const std::string instruction = R"(asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));)";
  const std::size_t place = text.find(instruction);
  ASSERT_NE(place, std::string::npos) << text;
  text.replace(place, instruction.size(), "result = 1.0f / x;");
  const testing_print::Compiled compiled(
      "#define __device__\n#define __forceinline__ inline\n" + text +
          "extern \"C\" void four(float numerator, float *by) {\n"
          "  polymend_rt::divideFour(numerator, reinterpret_cast<float (&)[4]>(*by));\n}\n",
      "-O2 -w -ffp-contract=off");
  ASSERT_TRUE(compiled.ok()) << compiled.failure();
  auto *four = compiled.find<void(float, float *)>("four");
  ASSERT_NE(four, nullptr);
  const float largest = std::ldexp(1.0F, 31), values[] = {1, 1.0000001F, 1.7F, 3, 1000.3F, 7e6F, 1e9F, largest};
  for (const float numerator : {1.0F, -144.2695F, -100.0F})
    for (const float a : values)
      for (const float b : values)
        for (const float c : values)
          for (const float d : values) {
            const float by[4] = {a, b, c, d};
            float quotients[4] = {a, b, c, d};
            four(numerator, quotients);
            for (int i = 0; i < 4; ++i) {
              const double wanted = static_cast<double>(numerator) / by[i];
              ASSERT_NEAR(quotients[i], wanted, 7 * std::ldexp(std::abs(wanted), -23))
                  << a << ' ' << b << ' ' << c << ' ' << d;
            }
          }
  float spoilt[4] = {1, NAN, 2, 3};
  four(1, spoilt);
  for (const float quotient : spoilt) EXPECT_TRUE(std::isnan(quotient));
}
