// Shapes arrive, data leaves: fresh random numbers that are never zero, and the values that break kernels (infinities,
// NaN, huge, equal, rows of zeros). What the source never touches or only writes is left as NaN.
#include "check/run.h"

#include <cmath>
#include <limits>

namespace polymend {

namespace {

using Value = DataKind::Value;
using Generator = std::mt19937_64;

constexpr long double infinity = std::numeric_limits<long double>::infinity();
constexpr long double nan = std::numeric_limits<long double>::quiet_NaN();

long double uniform(Generator &random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
}

std::int64_t integer(Generator &random, Interval range) {
  return std::uniform_int_distribution<std::int64_t>(range.low, range.high)(random);
}

/// An exponent whose triple product stays finite in the type.
int hugeExponent(Type type) { return type == Type::Float16 ? 12 : type == Type::Float64 ? 300 : 36; }

/// A number between 1/4 and 7/4 of either sign, scaled as the kind asks.
long double number(Generator &random, Value kind, Type type) {
  const long double sign = integer(random, {0, 1}) ? 1 : -1;
  const long double size = uniform(random, 0.25, 1.75);
  if (kind == Value::Spread) return sign * std::ldexp(size, static_cast<int>(integer(random, {-6, 6})));
  if (kind == Value::Huge) return sign * std::ldexp(size, hugeExponent(type));
  return sign * size;
}

/// Elements that share all but the last subscript; of a flat array, stretches as long as its arrangement suggests.
std::int64_t rowLength(const Shape &shape, const Sizes &sizes) {
  if (shape.extents.size() > 1) return std::max<std::int64_t>(shape.extents.back(), 1);
  std::int64_t length = std::max<std::int64_t>(shape.count(), 1);
  for (const auto &[name, value] : sizes)
    if (value > 1 && value < length && shape.count() % value == 0) length = value;
  return length > 64 && shape.count() % 64 == 0 ? 64 : length;
}

/// Is the element with this row-major index one that the source can touch?
bool touched(const Shape &shape, std::int64_t index) {
  for (std::size_t d = shape.extents.size(); d-- > 0; index /= shape.extents[d])
    if (index % shape.extents[d] >= shape.reach[d]) return false;
  return true;
}

/// The exceptional value that a kind puts into some elements, with the share of elements or rows that get it.
struct Special {
  long double value;
  double share;
  bool rows;
};

std::optional<Special> special(Value kind) {
  switch (kind) {
  case Value::ZeroRows: return Special{0, 0.3, true};
  case Value::MinusInfinity: return Special{-infinity, 0.02, false};
  case Value::MinusInfinityRows: return Special{-infinity, 0.4, true};
  case Value::PlusInfinity: return Special{infinity, 0.01, false};
  case Value::NaN: return Special{nan, 0.01, false};
  default: return std::nullopt;
  }
}

/// The contents of one floating array.
std::vector<long double> fill(const Shape &shape, const Sizes &sizes, Value kind, Generator &random) {
  std::vector<long double> values(static_cast<std::size_t>(shape.count()), nan);
  if (!shape.read) return values;
  const auto exception = special(kind);
  const std::int64_t row = rowLength(shape, sizes);
  const long double one = number(random, Value::Random, shape.type);
  bool inRow = false;
  for (std::int64_t i = 0; i < shape.count(); ++i) {
    if (!touched(shape, i)) continue;
    if (i % row == 0 && exception) inRow = exception->rows && uniform(random, 0, 1) < exception->share;
    long double value = kind == Value::Equal ? one : number(random, kind, shape.type);
    if (exception && (inRow || (!exception->rows && uniform(random, 0, 1) < exception->share)))
      value = exception->value;
    values[static_cast<std::size_t>(i)] = rounded(value, shape.type);
  }
  return values;
}

/// The contents of one integer array: subscripts in their range, else small positive numbers.
std::vector<long double> fillIntegers(const Shape &shape, Generator &random) {
  std::vector<long double> values(static_cast<std::size_t>(shape.count()), -1);
  const Interval range = shape.type == Type::Bool ? Interval{0, 1} : shape.range.value_or(Interval{1, 9});
  if (shape.read)
    for (long double &value : values) value = static_cast<long double>(integer(random, range));
  return values;
}

} // namespace

std::vector<DataKind> dataKinds(const std::vector<Shape> &shapes, bool mayOverlap) {
  std::vector<DataKind> kinds{{}};
  kinds.push_back({Value::Spread, -1, -1, "spread over 2^12"});
  kinds.push_back({Value::Huge, -1, -1, "huge"});
  kinds.push_back({Value::Equal, -1, -1, "all equal"});
  for (int a = 0; a < static_cast<int>(shapes.size()); ++a) {
    const Shape &shape = shapes[static_cast<std::size_t>(a)];
    if (!shape.read || !isFloating(shape.type)) continue;
    kinds.push_back({Value::ZeroRows, a, -1, "rows of 0 in " + shape.name});
    kinds.push_back({Value::MinusInfinity, a, -1, "-inf in " + shape.name});
    kinds.push_back({Value::MinusInfinityRows, a, -1, "rows of -inf in " + shape.name});
    kinds.push_back({Value::PlusInfinity, a, -1, "+inf in " + shape.name});
    kinds.push_back({Value::NaN, a, -1, "NaN in " + shape.name});
    for (int w = 0; mayOverlap && w < static_cast<int>(shapes.size()); ++w) {
      const Shape &other = shapes[static_cast<std::size_t>(w)];
      const bool fits = w != a && other.written && other.type == shape.type && !other.global && !shape.global;
      if (fits && other.count() == shape.count())
        kinds.push_back({Value::Overlap, w, a, other.name + " is " + shape.name});
    }
  }
  return kinds;
}

Data makeData(const CheckedFunction &checked, const Sizes &sizes, const std::vector<Shape> &shapes,
              const DataKind &kind, std::uint64_t seed) {
  Generator random(seed);
  Data data;
  for (std::size_t a = 0; a < shapes.size(); ++a) {
    const bool chosen = kind.value != Value::Overlap && (kind.array < 0 || kind.array == static_cast<int>(a));
    data.arrays.push_back(isFloating(shapes[a].type)
                              ? fill(shapes[a], sizes, chosen ? kind.value : Value::Random, random)
                              : fillIntegers(shapes[a], random));
  }
  for (const Parameter &parameter : checked.function.parameters) {
    if (parameter.isArray) continue;
    const auto size = sizes.find(parameter.name);
    long double value = 0;
    if (size != sizes.end())
      value = static_cast<long double>(size->second);
    else if (isFloating(parameter.type))
      value = rounded(number(random, kind.array < 0 ? kind.value : Value::Random, parameter.type), parameter.type);
    else
      value = static_cast<long double>(integer(random, {1, parameter.type == Type::Bool ? 1 : 5}));
    data.scalars.emplace_back(parameter.name, value);
  }
  return data;
}

Data perturb(const Data &data, const std::vector<Shape> &shapes, double amount, std::uint64_t seed) {
  Generator random(seed);
  Data moved = data;
  for (std::size_t a = 0; a < shapes.size(); ++a)
    if (isFloating(shapes[a].type))
      for (long double &value : moved.arrays[a])
        if (std::isfinite(value)) value *= 1 + amount * uniform(random, -1, 1);
  return moved;
}

} // namespace polymend
