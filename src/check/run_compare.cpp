// Four kinds of effects arrive (original, result, reference, reference on moved inputs), their distances leave. The
// unit of an element is what moving every input by a unit in its last place does to it, and, where that does not tell
// enough, what rounding each value that the source stores does: ill-conditioned elements may differ more, and their
// classes where that leaves the type's range. Classes (finite, +inf, -inf, NaN) and integers
// must be equal; so must arrays that the source does not write.
#include "run.h"

#include <algorithm>
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

/// What moving the inputs by one unit does to one element, and what rounding the source's own values once does.
long double unit(const Effect &reference, const Moves &moves, std::size_t array, std::size_t i, Type type) {
  const long double value = reference.arrays[array][i];
  long double largest = 0;
  for (const Effect &effect : moves.near) largest = std::fmax(largest, std::fabs(effect.arrays[array][i] - value));
  const Precision precision = precisionOf(type);
  const long double own = moves.own ? moves.own->moved[array][i] : 0;
  return std::fmax(std::fmax(largest / unitsMoved, own) + precision.half * std::fabs(value), precision.least);
}

/// Do roundings decide whether the element is within its type's range? Where they move it by half of itself, it may be
/// the quotient of anything by something small.
bool mayOverflow(const Effect &reference, const Moves &moves, std::size_t array, std::size_t i, Type type) {
  constexpr long double few = 48, farAway = 1024;
  const long double value = std::fabs(reference.arrays[array][i]);
  const bool isMoved = std::any_of(moves.near.begin(), moves.near.end(), [&](const Effect &effect) {
    return std::fabs(effect.arrays[array][i] - reference.arrays[array][i]) > value / 2;
  });
  return value + few * unit(reference, moves, array, i, type) > largestOf(type) ||
         (isMoved && farAway * value > largestOf(type));
}

/// Has the original itself no digit of the value left? Then the exact value's class is as good.
bool isLost(long double original, long double result, long double reference, const Moves &moves, std::size_t array,
            std::size_t i) {
  if (moves.own && moves.own->lost[array][i] && classOf(result) == classOf(reference)) return true;
  return shareNoDigit(original, reference);
}

/// Is the class one that the exact value has or loses when inputs move by roundings?
bool isUnsettled(long double result, const Effect &reference, const Moves &moves, std::size_t array, std::size_t i) {
  const Class exact = classOf(reference.arrays[array][i]), here = classOf(result);
  bool changes = false, occurs = here == exact;
  for (const Effect &effect : moves.near) {
    const Class other = classOf(effect.arrays[array][i]);
    changes = changes || other != exact;
    occurs = occurs || here == other;
  }
  return changes && occurs;
}

/// Do the source's own roundings move an element by much more than its inputs and its own last rounding do? Such an
/// algorithm gives another number for any order of its sums on this data, with no digit in common where no digit is
/// left; what is still further off is told.
bool isUnstable(long double original, long double result, const Effect &reference, const Moves &moves,
                std::size_t array, std::size_t i, Type type) {
  constexpr long double muchMore = 0x1p16L, furtherOff = 0x1p6L, farthest = 0x1p40L;
  if (!moves.own) return false;
  const long double anywhere = std::fmin(farthest, 4 / precisionOf(type).half); // as far as what it is computed from
  const long double value = reference.arrays[array][i], own = moves.own->moved[array][i];
  const bool isMoved = own > muchMore * precisionOf(type).half * std::fabs(value);
  const bool isDetermined = std::all_of(moves.near.begin(), moves.near.end(), [&](const Effect &effect) {
    return muchMore * std::fabs(effect.arrays[array][i] - value) < own * unitsMoved;
  });
  const long double most = moves.own->lost[array][i] ? anywhere : furtherOff;
  return isMoved && isDetermined && std::fabs(result - value) <= most * std::fmax(own, std::fabs(original - value));
}

/// The units of an array; none is smaller than a fraction of the largest, since intermediate values may be as large as
/// others' results are.
std::vector<long double> units(const Effect &original, const Effect &reference, const Moves &moves, std::size_t array,
                               Type type) {
  std::vector<long double> all(reference.arrays[array].size(), 0);
  long double largest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!std::isfinite(original.arrays[array][i]) || !std::isfinite(reference.arrays[array][i])) continue;
    all[i] = unit(reference, moves, array, i, type);
    if (std::isfinite(all[i])) largest = std::fmax(largest, all[i]);
  }
  for (long double &one : all)
    if (one > 0) one = std::fmax(one, largest / 16);
  return all;
}

/// "out[130]: 0.5 became nan".
std::string tell(const std::string &name, std::size_t i, long double original, long double result) {
  std::ostringstream text;
  text.precision(9);
  text << name << "[" << i << "]: " << original << " became " << result;
  return text.str();
}

/// By how many roundings of its own moving every input by one may move an element that the inputs determine well.
constexpr long double wellDetermined = 64;

/// Do inputs that move as far as roundings of sums may go leave the element near the reference?
bool staysNear(const Effect &reference, const std::vector<Effect> &far, std::size_t array, std::size_t i, Type type) {
  const long double value = reference.arrays[array][i];
  const long double limit = unitsFar * wellDetermined * precisionOf(type).half * std::fabs(value);
  return std::all_of(far.begin(), far.end(),
                     [&](const Effect &effect) { return std::fabs(effect.arrays[array][i] - value) <= limit; });
}

/// Adds one element's errors: in units, and, where the inputs determine it well, as a share of itself.
void measure(Comparison &comparison, long double original, long double result, long double reference,
             long double unitHere, bool isDetermined, Type type) {
  const auto x = static_cast<double>(std::fabs(original - reference)),
             y = static_cast<double>(std::fabs(result - reference));
  ++comparison.elements;
  comparison.original = std::fmax(comparison.original, x / static_cast<double>(unitHere));
  comparison.result = std::fmax(comparison.result, y / static_cast<double>(unitHere));
  const auto size = static_cast<double>(std::fabs(reference));
  if (!isDetermined || size < 2 * precisionOf(type).least) return;
  comparison.shareOriginal = std::fmax(comparison.shareOriginal, x / size);
  comparison.shareResult = std::fmax(comparison.shareResult, y / size);
}

} // namespace

bool shareNoDigit(long double a, long double b) {
  return std::isfinite(a) && std::isfinite(b) && std::fabs(a - b) > std::fmax(std::fabs(a), std::fabs(b)) / 2;
}

long double largestOf(Type type) {
  switch (type) {
  case Type::Float16: return 65504;
  case Type::Float64: return std::numeric_limits<double>::max();
  default: return std::numeric_limits<float>::max();
  }
}

Excused unsettled(const Effect &original, const std::vector<Effect> &near) {
  Excused result;
  for (std::size_t a = 0; a < original.arrays.size(); ++a) {
    result.emplace_back(original.arrays[a].size(), false);
    for (const Effect &effect : near)
      for (std::size_t i = 0; i < original.arrays[a].size(); ++i)
        result[a][i] = result[a][i] || classOf(effect.arrays[a][i]) != classOf(original.arrays[a][i]);
  }
  return result;
}

Comparison compare(const std::vector<Shape> &shapes, Type returned, const Effect &original, const Effect &result,
                   const Effect &reference, const Moves &moves, bool bitEqual, const Excused &excused) {
  Comparison comparison;
  for (std::size_t a = 0; a < original.arrays.size(); ++a) {
    const Type type = a < shapes.size() ? shapes[a].type : returned;
    const std::string name = a < shapes.size() ? shapes[a].name : "return value";
    const bool exact = bitEqual || !isFloating(type) || (a < shapes.size() && !shapes[a].written);
    const std::vector<long double> unitsHere =
        exact ? std::vector<long double>() : units(original, reference, moves, a, type);
    for (std::size_t i = 0; i < original.arrays[a].size(); ++i) {
      if (a < excused.size() && i < excused[a].size() && excused[a][i]) continue;
      const long double x = original.arrays[a][i], y = result.arrays[a][i];
      const bool differs = classOf(x) != classOf(y) || (exact && classOf(x) == Class::Finite && x != y);
      const long double r = reference.arrays[a].size() > i ? reference.arrays[a][i] : x;
      if (differs && !exact &&
          (mayOverflow(reference, moves, a, i, type) || isLost(x, y, r, moves, a, i) ||
           isUnsettled(y, reference, moves, a, i)))
        continue;
      if (differs && comparison.difference.empty()) comparison.difference = tell(name, i, x, y);
      if (differs || exact || unitsHere[i] == 0 || !std::isfinite(unitsHere[i])) continue;
      if (isUnstable(x, y, reference, moves, a, i, type)) {
        ++comparison.unstable;
        continue;
      }
      const bool isDetermined =
          unit(reference, moves, a, i, type) <= wellDetermined * precisionOf(type).half * std::fabs(r);
      measure(comparison, x, y, r, unitsHere[i], isDetermined && staysNear(reference, moves.far, a, i, type), type);
    }
  }
  return comparison;
}

} // namespace polymend
