// A value whose elements share divisions is the value, and its divisors are numbers that four of can be multiplied.
#include "device/shared_division.h"

#include "tile/evaluate.h"
#include "understood.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace polymend;
using namespace polymend::device_room;
using testing_device::understood;

namespace {

const Type f32 = Type::Float32;
const Expr s = Expr::symbol("s", f32), t = Expr::symbol("t", f32), m = Expr::symbol("m", f32);

Expr real(double value) { return Expr::real(value, f32); }
Expr one(Op op, const Expr &a) { return Expr::make(op, a.type(), {a}); }
Expr tanh(const Expr &a) { return one(Op::Tanh, a); }

DividedValue divided(const Expr &value, bool approximates = false) {
  const ElementScope scope{{"s", "t"}, "cx"};
  int number = 0;
  return shareDivisions(arrange(value, scope, approximates), scope,
                        [&] { return "quotient" + std::to_string(++number); });
}

double at(const Expr &e, const std::map<std::string, double> &values) {
  tile::Environment env;
  for (const auto &[name, value] : values) env.scalars[name] = tile::Number::real(value);
  const tile::Number value = tile::evaluate(understood(e), env);
  EXPECT_EQ(env.fault, std::nullopt) << show(e);
  return value.asReal();
}

/// The value by way of its divisions; `largest` becomes the largest divisor.
double through(const DividedValue &value, std::map<std::string, double> known, double &largest) {
  for (const SharedDivision &division : value.divisions) {
    const double divisor = at(division.denominator, known);
    EXPECT_GE(divisor, 1) << show(division.denominator);
    largest = std::max(largest, divisor);
    known[division.quotient] = division.numerator / divisor;
  }
  return at(value.value, known);
}

struct Case {
  Expr value;
  std::vector<double> numerators;
};

std::vector<Case> cases() {
  const Expr squashed = real(50) * tanh(s * real(0.02));
  return {{squashed, {-100}},
          {one(Op::Exp, squashed - m), {-100 * 1.4426950408889634}},
          {tanh(s) * tanh(s), {-2}},
          {one(Op::Exp, tanh(s)) + tanh(s), {1}}, // two factors: neither is in the numerator
          {tanh(s) * real(3) + tanh(t) * real(5), {-10, -6}},
          {tanh(tanh(s)), {-2}}, // the inner division stays in the outer one's exponent
          {Expr::make(Op::Select, f32, {Expr::make(Op::Lt, {s, m}), tanh(s), real(0)}), {-2}}};
}

} // namespace

TEST(SharedDivision, MeansTheValue) {
  for (const auto &[value, numerators] : cases()) {
    const DividedValue shared = divided(value);
    ASSERT_EQ(shared.divisions.size(), numerators.size()) << show(value);
    for (std::size_t d = 0; d < numerators.size(); ++d)
      EXPECT_NEAR(shared.divisions[d].numerator, numerators[d], 1e-5 * std::abs(numerators[d])) << show(value);
    double largest = 0;
    for (const double x : {0.0, -0.3, 0.7, 2.0, -9.0, 12.0, 90.0, -4000.0, 4000.0, 3e38, -3e38}) {
      const std::map<std::string, double> known = {{"s", x}, {"t", -x / 3}, {"m", 1.5}};
      const double wanted = at(value, known), got = through(shared, known, largest);
      EXPECT_NEAR(got, wanted, 1e-5 * std::max(1.0, std::abs(wanted))) << show(value) << " at " << x;
    }
    EXPECT_LE(largest, std::exp2(31) + 1) << show(value);
    EXPECT_GE(largest, std::exp2(1)) << show(value);
  }
}

TEST(SharedDivision, IsOfTheSourcesTanhAlone) {
  EXPECT_TRUE(divided(one(Op::Exp, s - m)).divisions.empty());
  EXPECT_TRUE(divided(tanh(s), true).divisions.empty());
  EXPECT_TRUE(divided(one(Op::Exp, tanh(m) + s)).divisions.empty());         // once a row
  EXPECT_TRUE(divided(Expr::make(Op::Div, {real(1), s})).divisions.empty()); // of any size and sign
}
