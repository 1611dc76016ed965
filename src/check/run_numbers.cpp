// Elements of every type as the source stores them, read and written as long double. The 16-bit types are converted by
// hand, round to nearest even, so that no compiler support is needed to run this.
#include "check/run.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace polymend {

namespace {

/// Rounds to `digits` significant bits with least exponent `least` (of the lowest bit) and largest finite value `most`.
long double roundTo(long double value, int digits, int least, long double most) {
  if (!std::isfinite(value) || value == 0) return value;
  const int lowest = std::max(std::ilogb(value) - digits + 1, least);
  const long double result = std::ldexp(std::nearbyint(std::ldexp(value, -lowest)), lowest);
  return std::fabs(result) > most ? std::copysign(std::numeric_limits<long double>::infinity(), value) : result;
}

/// A 16-bit pattern with `fraction` fraction bits and exponent bias `bias`.
std::uint16_t encode(long double value, int fraction, int bias) {
  const int top = 15 - fraction;
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const auto infinity = static_cast<std::uint16_t>(((1 << top) - 1) << fraction);
  if (std::isnan(value)) return sign | infinity | static_cast<std::uint16_t>(1 << (fraction - 1));
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  const int exponent = std::max(std::ilogb(value), 1 - bias);
  const auto bits = static_cast<std::int64_t>(std::ldexp(std::fabs(value), fraction - exponent));
  return static_cast<std::uint16_t>(sign | (((std::int64_t(exponent + bias - 1)) << fraction) + bits));
}

/// The value of such a pattern.
long double decode(std::uint16_t bits, int fraction, int bias) {
  const int exponent = (bits & 0x7fff) >> fraction, mantissa = bits & ((1 << fraction) - 1);
  long double value = 0;
  if (exponent == (1 << (15 - fraction)) - 1)
    value = mantissa ? std::numeric_limits<long double>::quiet_NaN() : std::numeric_limits<long double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(static_cast<long double>(mantissa), 1 - bias - fraction);
  else
    value = std::ldexp(static_cast<long double>(mantissa + (1 << fraction)), exponent - bias - fraction);
  return bits & 0x8000 ? -value : value;
}

template <class T> void put(std::byte *place, T value) { std::memcpy(place, &value, sizeof value); }

template <class T> T get(const std::byte *place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

} // namespace

long double rounded(long double value, Type type) {
  switch (type) {
  case Type::Float16: return roundTo(value, 11, -24, 65504.0L);
  case Type::BFloat16: return roundTo(value, 8, -133, std::ldexp(255.0L, 120));
  case Type::Float32: return static_cast<float>(value);
  case Type::Float64: return static_cast<double>(value);
  default: return value;
  }
}

std::size_t bytesOf(Type type) {
  switch (type) {
  case Type::Bool: return 1;
  case Type::Float16:
  case Type::BFloat16: return 2;
  case Type::Int64:
  case Type::Float64: return 8;
  default: return 4;
  }
}

void store(std::byte *place, Type type, long double value) {
  switch (type) {
  case Type::Bool: return put(place, static_cast<unsigned char>(value != 0));
  case Type::Int32: return put(place, static_cast<std::int32_t>(value));
  case Type::Int64: return put(place, static_cast<std::int64_t>(value));
  case Type::Float16: return put(place, encode(rounded(value, type), 10, 15));
  case Type::BFloat16: return put(place, encode(rounded(value, type), 7, 127));
  case Type::Float64: return put(place, static_cast<double>(value));
  default: return put(place, static_cast<float>(value));
  }
}

long double load(const std::byte *place, Type type) {
  switch (type) {
  case Type::Bool: return get<unsigned char>(place);
  case Type::Int32: return get<std::int32_t>(place);
  case Type::Int64: return get<std::int64_t>(place);
  case Type::Float16: return decode(get<std::uint16_t>(place), 10, 15);
  case Type::BFloat16: return decode(get<std::uint16_t>(place), 7, 127);
  case Type::Float64: return get<double>(place);
  default: return get<float>(place);
  }
}

} // namespace polymend
