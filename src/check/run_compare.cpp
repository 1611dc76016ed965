// Four kinds of effects arrive (original, result, reference, reference on moved inputs), their distances leave. The
// unit of an element is what moving every input by a unit in its last place does to it: ill-conditioned elements may
// differ more. Classes (finite, +inf, -inf, NaN) and integers must be equal; so must arrays that the source does not
// write.
#include "check/run.h"

#include <cmath>
#include <limits>
#include <sstream>

namespace polymend {

namespace {

enum class Class { Finite, PlusInfinity, MinusInfinity, NaN };

Class classOf(long double value) {
  if (std::isnan(value)) return Class::NaN;
  if (std::isinf(value)) return value > 0 ? Class::PlusInfinity : Class::MinusInfinity;
  return Class::Finite;
}

/// Half a unit in the last place of 1, and the smallest normal number.
struct Precision {
  long double half, least;
};

Precision precisionOf(Type type) {
  switch (type) {
  case Type::Float16: return {0x1p-11L, 0x1p-14L};
  case Type::BFloat16: return {0x1p-8L, 0x1p-126L};
  case Type::Float64: return {0x1p-53L, 0x1p-1022L};
  default: return {0x1p-24L, 0x1p-126L};
  }
}

/// What one element may differ by: one unit.
long double unit(const Effect &reference, const std::vector<Effect> &moved, std::size_t array, std::size_t i,
                 Type type) {
  const long double value = reference.arrays[array][i];
  long double largest = 0;
  for (const Effect &effect : moved) largest = std::fmax(largest, std::fabs(effect.arrays[array][i] - value));
  const Precision precision = precisionOf(type);
  return std::fmax(largest / unitsMoved + precision.half * std::fabs(value), precision.least);
}

/// "out[130]: 0.5 became nan".
std::string tell(const std::string &name, std::size_t i, long double original, long double result) {
  std::ostringstream text;
  text.precision(9);
  text << name << "[" << i << "]: " << original << " became " << result;
  return text.str();
}

} // namespace

Comparison compare(const std::vector<Shape> &shapes, Type returned, const Effect &original, const Effect &result,
                   const Effect &reference, const std::vector<Effect> &moved, bool bitEqual) {
  Comparison comparison;
  for (std::size_t a = 0; a < original.arrays.size(); ++a) {
    const Type type = a < shapes.size() ? shapes[a].type : returned;
    const std::string name = a < shapes.size() ? shapes[a].name : "return value";
    const bool exact = bitEqual || !isFloating(type) || (a < shapes.size() && !shapes[a].written);
    for (std::size_t i = 0; i < original.arrays[a].size(); ++i) {
      const long double x = original.arrays[a][i], y = result.arrays[a][i], r = reference.arrays[a][i];
      const bool differs = classOf(x) != classOf(y) || (exact && classOf(x) == Class::Finite && x != y);
      if (differs && comparison.difference.empty()) comparison.difference = tell(name, i, x, y);
      if (differs || exact || classOf(x) != Class::Finite || classOf(r) != Class::Finite) continue;
      const long double u = unit(reference, moved, a, i, type);
      if (!std::isfinite(u)) continue;
      comparison.original = std::fmax(comparison.original, static_cast<double>(std::fabs(x - r) / u));
      comparison.result = std::fmax(comparison.result, static_cast<double>(std::fabs(y - r) / u));
    }
  }
  return comparison;
}

} // namespace polymend
