// Shapes arrive, data leaves: fresh random numbers that are never zero, and the values that break kernels (infinities,
// NaN, huge, equal, rows of zeros) or make differences cancel (offsets with a little noise). What the source never
// touches or only writes is left as NaN.
#include "run_integers.h"

#include <algorithm>
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

std::int64_t integer(Generator &random, const Interval &range) {
  return std::uniform_int_distribution<std::int64_t>(*range.low(), *range.high())(random);
}

/// An exponent whose triple product stays finite in the type.
int hugeExponent(Type type) { return type == Type::Float16 ? 12 : type == Type::Float64 ? 300 : 36; }

/// The exponent of the largest number of a type, and of its smallest normal one.
int largestExponent(Type type) { return type == Type::Float16 ? 15 : type == Type::Float64 ? 1023 : 127; }
int leastExponent(Type type) { return type == Type::Float16 ? -14 : type == Type::Float64 ? -1022 : -126; }

/// A number between 1/4 and 7/4 of either sign, scaled as the kind asks; `length` of them sum up in a row.
long double number(Generator &random, const DataKind &kind, Type type, std::int64_t length) {
  const long double sign = integer(random, {0, 1}) ? 1 : -1;
  const long double size = uniform(random, 0.25, 1.75);
  switch (kind.value) {
  case Value::Spread: return sign * std::ldexp(size, static_cast<int>(integer(random, {-6, 6})));
  case Value::Huge: return sign * std::ldexp(size, hugeExponent(type));
  case Value::NearOverflow:
    return std::ldexp(size,
                      largestExponent(type) - 1 - std::ilogb(static_cast<double>(std::max<std::int64_t>(length, 1))));
  case Value::Denormal: return sign * std::ldexp(size, leastExponent(type) - 4);
  case Value::Small: return sign * std::ldexp(size, leastExponent(type) * 5 / 8); // whose square underflows
  case Value::Offset: return kind.amount + sign * size / 256;
  default: return sign * size;
  }
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

/// Is this the place in a row where a kind has its one huge element? Another part of a split sum than the first is far
/// from its beginning.
bool isHugePlace(Value kind, std::int64_t at, std::int64_t row) {
  return (kind == Value::HugeFirst && at == 0) || (kind == Value::HugeLast && at == row - 1) ||
         (kind == Value::HugeWithin && at == row * 5 / 8);
}

/// Does an element continue a stretch of equal ones? Of what is compared for equality both answers are worth a run, for
/// single elements and for many.
bool staysAlike(const Shape &shape, std::int64_t index, Generator &random) {
  constexpr double share = 1.0 / 48;
  return shape.alike && index > 0 && uniform(random, 0, 1) >= share;
}

/// A stretch of equal elements has one of few values, so that some of them come again.
long double groupOf(Generator &random) { return static_cast<long double>(integer(random, {1, 4})); }

/// The contents of one floating array.
std::vector<long double> fill(const Shape &shape, const Sizes &sizes, const DataKind &kind, Generator &random) {
  constexpr long double hugeElement = 4096;
  std::vector<long double> values(static_cast<std::size_t>(shape.count()), nan);
  if (!shape.read) return values;
  const auto exception = special(kind.value);
  const std::int64_t row = rowLength(shape, sizes);
  long double one = number(random, {}, shape.type, row);
  bool inRow = false;
  for (std::int64_t i = 0; i < shape.count(); ++i) {
    if (!touched(shape, i)) continue;
    if (i % row == 0 && exception) inRow = exception->rows && uniform(random, 0, 1) < exception->share;
    if (i % row == 0 && kind.value == Value::EqualRows) one = number(random, {}, shape.type, row);
    const bool equal = kind.value == Value::Equal || kind.value == Value::EqualRows;
    const bool grouped = shape.alike && kind.value == Value::Random;
    if (grouped && !staysAlike(shape, i, random)) one = groupOf(random);
    long double value = equal || grouped ? one : number(random, kind, shape.type, row);
    if (isHugePlace(kind.value, i % row, row)) value = hugeElement * std::fabs(value);
    if (exception && (inRow || (!exception->rows && uniform(random, 0, 1) < exception->share)))
      value = exception->value;
    values[static_cast<std::size_t>(i)] = rounded(value, shape.type);
  }
  return values;
}

/// Is what a kind does to arrays done to scalar arguments too? A factor near overflow leaves nothing else to see.
bool isForScalars(const DataKind &kind) {
  return kind.array < 0 && (kind.value == Value::Spread || kind.value == Value::Huge);
}

/// Numbers of the range in any order, each once as far as they suffice.
void chooseOnce(const Interval &range, Generator &random, std::vector<long double> &values) {
  std::vector<std::int64_t> all;
  for (std::int64_t value = *range.low(); value <= *range.high(); ++value) all.push_back(value);
  std::shuffle(all.begin(), all.end(), random);
  for (std::size_t i = 0; i < std::min(values.size(), all.size()); ++i) values[i] = static_cast<long double>(all[i]);
}

/// Makes what is declared of two arrays so: rows below the diagonal hold columns before it, which the first row has
/// none of; and places of the diagonal lead to their rows.
void declareIn(const CheckedFunction &checked, const std::vector<Shape> &shapes, Generator &random, Data &data) {
  const auto valuesOf = [&](const std::string &name) -> std::vector<long double> * {
    for (std::size_t a = 0; a < shapes.size(); ++a)
      if (shapes[a].name == name) return &data.arrays[a];
    return nullptr;
  };
  for (const IndexFact &fact : checked.function.facts) {
    std::vector<long double> *const one = valuesOf(fact.array), *const other = valuesOf(fact.other);
    if (one == nullptr || other == nullptr) continue;
    if (fact.kind == IndexFact::Kind::Diagonal)
      for (std::size_t i = 0; i < one->size(); ++i)
        if (const auto at = static_cast<std::size_t>(std::max((*one)[i], 0.0L)); at < other->size())
          (*other)[at] = static_cast<long double>(i);
    if (fact.kind != IndexFact::Kind::Lower) continue;
    if (other->size() > 1) (*other)[1] = (*other)[0];
    for (std::size_t i = 1; i + 1 < other->size(); ++i)
      for (auto k = static_cast<std::int64_t>((*other)[i]); k < static_cast<std::int64_t>((*other)[i + 1]); ++k)
        if (k >= 0 && k < static_cast<std::int64_t>(one->size()))
          (*one)[static_cast<std::size_t>(k)] =
              static_cast<long double>(integer(random, {0, static_cast<std::int64_t>(i) - 1}));
  }
}

/// The contents of one integer array: subscripts in their range, else data; the ends of ranges rise.
std::vector<long double> fillIntegers(const Shape &shape, const Interval &data, Generator &random) {
  std::vector<long double> values(static_cast<std::size_t>(shape.count()), -1);
  const bool isSubscript = shape.range && shape.type != Type::Bool;
  const Interval range = isSubscript ? *shape.range : shape.alike ? Interval{0, std::min<Wide>(data.most, 3)} : data;
  if (shape.read)
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = staysAlike(shape, static_cast<std::int64_t>(i), random)
                      ? values[i - 1]
                      : static_cast<long double>(integer(random, range));
  if (shape.differs && isSubscript) chooseOnce(range, random, values);
  if (shape.rises) std::sort(values.begin(), values.end());
  return values;
}

} // namespace

Data makeData(const CheckedFunction &checked, const Sizes &sizes, const std::vector<Shape> &shapes,
              const DataKind &kind, std::uint64_t seed) {
  Generator random(seed);
  Data data;
  DataKind turned = kind;
  if (kind.value == Value::Turns) turned.value = Value::Offset;
  for (std::size_t a = 0; a < shapes.size(); ++a) {
    const bool chosen = kind.value != Value::Overlap && (kind.array < 0 || kind.array == static_cast<int>(a));
    data.arrays.push_back(isFloating(shapes[a].type)
                              ? fill(shapes[a], sizes, chosen ? turned : DataKind(), random)
                              : fillIntegers(shapes[a], integersOf(shapes[a].type, checked, sizes), random));
    if (kind.value == Value::Turns && shapes[a].read && isFloating(shapes[a].type)) turned.amount = -turned.amount;
  }
  declareIn(checked, shapes, random, data);
  for (const Parameter &parameter : checked.function.parameters) {
    if (parameter.isArray || parameter.name.empty()) continue;
    const auto size = sizes.find(parameter.name);
    long double value = 0;
    if (size != sizes.end())
      value = static_cast<long double>(size->second);
    else if (isFloating(parameter.type))
      value = rounded(number(random, isForScalars(kind) ? kind : DataKind(), parameter.type, 1), parameter.type);
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
