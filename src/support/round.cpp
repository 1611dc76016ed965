// Narrow types by scaling: a value v with exponent e is a multiple of 2^(e - bits), and of the smallest denormal.
#include "polymend/element_types.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polymend {

namespace {

double roundNarrow(double value, int bits, int leastExponent, double largest) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int grain = std::max(exponent, leastExponent) - bits;
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -grain)), grain);
  return std::fabs(rounded) > largest ? std::copysign(std::numeric_limits<double>::infinity(), value) : rounded;
}

} // namespace

double roundTo(Type type, double value) {
  switch (type) {
  case Type::Float32: return static_cast<double>(static_cast<float>(value));
  case Type::Float16: return roundNarrow(value, 11, -13, 65504.0);
  case Type::BFloat16: return roundNarrow(value, 8, -125, std::ldexp(255.0, 120));
  default: return value;
  }
}

} // namespace polymend
