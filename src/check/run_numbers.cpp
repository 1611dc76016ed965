// Elements of every type as the source stores them, read and written as long double. The 16-bit types are converted by
// hand, round to nearest even, so that no compiler support is needed to run this.
#include "run.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace polymend {

namespace {

constexpr int doubleDigits = 53, doubleBias = 1023;

double powerOfTwo(int exponent) { return std::bit_cast<double>(std::uint64_t(exponent + doubleBias) << 52); }

/// A finite double that is no smaller than the smallest normal number of the type, to nearest even, by its bits.
double roundBits(double value, int digits) {
  const int drop = doubleDigits - digits;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t half = (std::uint64_t(1) << (drop - 1)) - 1 + ((bits >> drop) & 1);
  return std::bit_cast<double>((bits + half) >> drop << drop);
}

/// Rounds to `digits` significant bits with least exponent `least` (of the lowest bit) and largest finite value `most`.
long double roundTo(long double value, int digits, int least, long double most) {
  if (!std::isfinite(value) || value == 0) return value;
  const auto narrow = static_cast<double>(value);
  if (narrow == value && std::fabs(narrow) >= powerOfTwo(least + digits - 1))
    if (const double result = roundBits(narrow, digits); std::fabs(result) <= most) return result;
  const int lowest = std::max(std::ilogb(value) - digits + 1, least);
  const long double result = std::ldexp(std::nearbyint(std::ldexp(value, -lowest)), lowest);
  return std::fabs(result) > most ? std::copysign(std::numeric_limits<long double>::infinity(), value) : result;
}

/// The 16-bit pattern of a value that has one, with `fraction` fraction bits and exponent bias `bias`.
std::uint16_t encode(long double value, int fraction, int bias) {
  const int top = 15 - fraction;
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const auto infinity = static_cast<std::uint16_t>(((1 << top) - 1) << fraction);
  if (std::isnan(value)) return sign | infinity | static_cast<std::uint16_t>(1 << (fraction - 1));
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  const auto whole = std::bit_cast<std::uint64_t>(static_cast<double>(value));
  const int normal = static_cast<int>((whole >> 52) & 0x7ff) - doubleBias + bias;
  if (normal > 0)
    return static_cast<std::uint16_t>(sign | (normal << fraction) |
                                      static_cast<int>((whole & ((std::uint64_t(1) << 52) - 1)) >> (52 - fraction)));
  return sign | static_cast<std::uint16_t>(std::ldexp(std::fabs(value), fraction + bias - 1));
}

/// The value of such a pattern.
long double decode(std::uint16_t bits, int fraction, int bias) {
  const int exponent = (bits & 0x7fff) >> fraction, mantissa = bits & ((1 << fraction) - 1);
  const bool isNormal = exponent > 0 && exponent < (1 << (15 - fraction)) - 1;
  if (isNormal)
    return std::bit_cast<double>(std::uint64_t(bits & 0x8000) << 48 |
                                 std::uint64_t(exponent - bias + doubleBias) << 52 |
                                 std::uint64_t(mantissa) << (52 - fraction));
  long double value = 0;
  if (exponent == (1 << (15 - fraction)) - 1)
    value = mantissa ? std::numeric_limits<long double>::quiet_NaN() : std::numeric_limits<long double>::infinity();
  else
    value = std::ldexp(static_cast<long double>(mantissa), 1 - bias - fraction);
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

void store(std::byte *place, Type type, long double value) {
  switch (type) {
  case Type::Bool: return put(place, static_cast<unsigned char>(value != 0));
  case Type::Char:
  case Type::Int8:
  case Type::UInt8: return put(place, static_cast<std::uint8_t>(static_cast<std::int64_t>(value)));
  case Type::Int16:
  case Type::UInt16: return put(place, static_cast<std::uint16_t>(static_cast<std::int64_t>(value)));
  case Type::UInt32: return put(place, static_cast<std::uint32_t>(static_cast<std::int64_t>(value)));
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
  case Type::Char: return get<char>(place);
  case Type::Int8: return get<std::int8_t>(place);
  case Type::UInt8: return get<std::uint8_t>(place);
  case Type::Int16: return get<std::int16_t>(place);
  case Type::UInt16: return get<std::uint16_t>(place);
  case Type::UInt32: return get<std::uint32_t>(place);
  case Type::Int32: return get<std::int32_t>(place);
  case Type::Int64: return get<std::int64_t>(place);
  case Type::Float16: return decode(get<std::uint16_t>(place), 10, 15);
  case Type::BFloat16: return decode(get<std::uint16_t>(place), 7, 127);
  case Type::Float64: return get<double>(place);
  default: return get<float>(place);
  }
}

} // namespace polymend
