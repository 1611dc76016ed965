// What is done to words of 64 bits that are no numbers with a sign: counts of their bits, and arithmetic modulo 2^64,
// as calls of primitives. A word is carried as the number with a sign that has its bits.
#pragma once

#include "polymend/expr.h"

#include <bit>
#include <optional>
#include <string_view>
#include <vector>

namespace polymend::words {

inline constexpr std::string_view onesIn = "polymend_rt::onesIn", zerosAbove = "polymend_rt::zerosAbove",
                                  zerosBelow = "polymend_rt::zerosBelow", sum = "polymend_rt::wordSum",
                                  difference = "polymend_rt::wordDifference", product = "polymend_rt::wordProduct",
                                  quotient = "polymend_rt::wordQuotient", remainder = "polymend_rt::wordRemainder",
                                  shiftedRight = "polymend_rt::wordShiftedRight",
                                  asDouble = "polymend_rt::wordAsDouble", asFloat = "polymend_rt::wordAsFloat";

/// Is it a count of bits, which is no less than 0 and no more than 64?
inline bool isCount(std::string_view name) { return name == onesIn || name == zerosAbove || name == zerosBelow; }

/// Is it arithmetic modulo 2^64 that gives a word?
inline bool isModular(std::string_view name) {
  return name == sum || name == difference || name == product || name == quotient || name == remainder ||
         name == shiftedRight;
}

/// Is it one of these functions?
inline bool isKnown(std::string_view name) {
  return isCount(name) || isModular(name) || name == asDouble || name == asFloat;
}

/// The word, or the count, that such a call gives; of a conversion the word itself.
inline std::int64_t wordOf(std::string_view name, const std::vector<std::int64_t> &args) {
  const auto a = static_cast<std::uint64_t>(args.front()), b = static_cast<std::uint64_t>(args.back());
  if (name == onesIn) return std::popcount(a);
  if (name == zerosAbove) return std::countl_zero(a);
  if (name == zerosBelow) return std::countr_zero(a);
  if (name == sum) return static_cast<std::int64_t>(a + b);
  if (name == difference) return static_cast<std::int64_t>(a - b);
  if (name == product) return static_cast<std::int64_t>(a * b);
  if (name == quotient) return static_cast<std::int64_t>(b == 0 ? 0 : a / b);
  if (name == remainder) return static_cast<std::int64_t>(b == 0 ? 0 : a % b);
  if (name == shiftedRight) return static_cast<std::int64_t>(a >> (b % 64));
  return args.front();
}

/// The number that the conversion of a word to a floating-point type gives, rounded once.
inline double realOf(std::string_view name, std::int64_t word) {
  const auto whole = static_cast<std::uint64_t>(word);
  return name == asFloat ? static_cast<double>(static_cast<float>(whole)) : static_cast<double>(whole);
}

} // namespace polymend::words
