// The accuracy of the printed functions of float: over every exponent and a dense sample of significands, against
// double.
#include "compiled.h"
#include "print/library.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

using namespace polymend;

namespace {

using Sweep = void(const float *, float *, long);

struct Case {
  const char *name;
  double (*exact)(double);
  double bound; // ulp
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.name; }

std::string sweepText(const std::string &name) {
  print_room::Needs needs;
  needs.primitives = {name};
  needs = print_room::close(needs, print_room::tableOf(Target::Cpp));
  std::string text;
  for (const std::string &header : needs.headers) text += "#include <" + header + ">\n";
  return text + print_room::libraryText(needs, print_room::tableOf(Target::Cpp)).whole() +
         "extern \"C\" void sweep(const float *x, float *y, long n) {\n"
         "  for (long i = 0; i < n; ++i) y[i] = polymend_rt::" +
         name + "(x[i]);\n}\n";
}

/// Distance in units of the last place of the exact value, denormal units below the normal range.
double distance(float value, double exact) {
  const double magnitude = std::max(std::fabs(exact), static_cast<double>(std::numeric_limits<float>::min()));
  return std::fabs(value - exact) / std::ldexp(1.0, std::ilogb(magnitude) - 23);
}

class Accuracy : public testing::TestWithParam<Case> {};

TEST_P(Accuracy, AllExponents) {
  const Case &c = GetParam();
  for (const char *flags : {"-O2 -march=native", "-O1 -ffp-contract=off"}) {
    const testing_print::Compiled compiled(sweepText(c.name), flags);
    ASSERT_TRUE(compiled.ok()) << compiled.failure();
    auto *sweep = compiled.find<Sweep>("sweep");
    ASSERT_NE(sweep, nullptr);
    std::vector<float> x(1 << 16), y(x.size());
    double worst = 0;
    float worstAt = 0;
    std::uint32_t bits = 0;
    for (std::uint64_t block = 0; block < 512; ++block) {
      for (float &value : x) value = std::bit_cast<float>(bits), bits += 127;
      sweep(x.data(), y.data(), static_cast<long>(x.size()));
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double exact = c.exact(x[i]);
        const auto rounded = static_cast<float>(exact);
        if (std::isnan(rounded) || std::isinf(rounded) || std::isinf(y[i]) || std::isnan(y[i])) {
          ASSERT_TRUE(rounded == y[i] || (std::isnan(rounded) && std::isnan(y[i])))
              << c.name << "(" << x[i] << ") = " << y[i];
          continue;
        }
        ASSERT_EQ(std::signbit(rounded), std::signbit(y[i])) << c.name << "(" << x[i] << ") = " << y[i];
        const double error = distance(y[i], exact);
        if (error > worst) worst = error, worstAt = x[i];
      }
    }
    EXPECT_LE(worst, c.bound) << c.name << " at " << worstAt << " with " << flags;
    RecordProperty(c.name, std::to_string(worst));
  }
}

TEST_P(Accuracy, SpecialValues) {
  const Case &c = GetParam();
  const testing_print::Compiled compiled(sweepText(c.name), "-O2");
  ASSERT_TRUE(compiled.ok()) << compiled.failure();
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{infinity, -infinity, nan,       -nan,       0.0f,       -0.0f,      1.0f,
                             -1.0f,    88.72283f, 88.72284f, -87.33655f, -103.9720f, -104.0f,    127.9999f,
                             128.0f,   -149.0f,   -149.99f,  -150.0f,    -151.0f,    1e-45f,     1e-38f,
                             3.4e+38f, -3.4e+38f, 0.625f,    -0.625f,    9.1f,       0.70710677f};
  std::vector<float> y(x.size());
  compiled.find<Sweep>("sweep")(x.data(), y.data(), static_cast<long>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = c.exact(x[i]);
    const auto rounded = static_cast<float>(exact);
    if (std::isnan(rounded))
      EXPECT_TRUE(std::isnan(y[i])) << c.name << "(" << x[i] << ") = " << y[i];
    else if (std::isinf(rounded))
      EXPECT_EQ(y[i], rounded) << c.name << "(" << x[i] << ")";
    else
      EXPECT_LE(distance(y[i], exact), c.bound) << c.name << "(" << x[i] << ") = " << y[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Functions, Accuracy,
                         testing::Values(Case{"exp", std::exp, 2}, Case{"exp2", std::exp2, 2}, Case{"log", std::log, 2},
                                         Case{"tanh", std::tanh, 3}),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
