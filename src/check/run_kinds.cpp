// The shapes of a function's arrays arrive, the kinds of data that are worth a run leave. Every pair of arguments of
// one type is called with both at one place, and with each beginning in the middle of the other; containers of one type
// are one container.
#include "run.h"

#include <algorithm>

namespace polymend {

namespace {

using Value = DataKind::Value;

/// "1000" and "-10" without decimals.
std::string spelled(double amount) { return std::to_string(static_cast<int>(amount)); }

/// May the two be given memory in common? Index arrays hold what fits their own use only.
bool mayShare(const Shape &a, const Shape &b) {
  const auto isFree = [](const Shape &shape) {
    return !shape.global && !shape.range && shape.count() > 0 && !shape.restricted;
  };
  return a.type == b.type && isFree(a) && isFree(b);
}

/// Array `a` begins where `onto` does, or in its middle.
void addOverlaps(int a, int onto, const std::vector<Shape> &shapes, std::vector<DataKind> &kinds) {
  const Shape &one = shapes[static_cast<std::size_t>(a)], &other = shapes[static_cast<std::size_t>(onto)];
  const bool areOwned = !one.owner.empty() || !other.owner.empty();
  if (areOwned && one.owner != other.owner) return;
  if (a > onto) kinds.push_back({Value::Overlap, a, onto, 0, one.name + " is " + other.name});
  if (areOwned) return;
  if (const std::int64_t middle = other.count() / 2; middle > 0)
    kinds.push_back({Value::Overlap, a, onto, static_cast<double>(middle), one.name + " within " + other.name});
}

} // namespace

std::vector<DataKind> dataKinds(const std::vector<Shape> &shapes) {
  std::vector<DataKind> kinds{{}};
  kinds.push_back({Value::Spread, -1, -1, 0, "spread over 2^12"});
  kinds.push_back({Value::Huge, -1, -1, 0, "huge"});
  kinds.push_back({Value::NearOverflow, -1, -1, 0, "near overflow"});
  kinds.push_back({Value::Denormal, -1, -1, 0, "denormal"});
  kinds.push_back({Value::Small, -1, -1, 0, "small"});
  for (const double amount : {10, -10, 100, -100, 1000, -1000})
    kinds.push_back({Value::Offset, -1, -1, amount, "near " + spelled(amount)});
  kinds.push_back({Value::Equal, -1, -1, 0, "all equal"});
  kinds.push_back({Value::EqualRows, -1, -1, 0, "equal rows"});
  const auto count = static_cast<int>(shapes.size());
  for (int a = 0; a < count; ++a) {
    const Shape &shape = shapes[static_cast<std::size_t>(a)];
    if (!shape.read || shape.constant || !isFloating(shape.type)) continue;
    kinds.push_back({Value::HugeFirst, a, -1, 0, "huge first in " + shape.name});
    kinds.push_back({Value::HugeLast, a, -1, 0, "huge last in " + shape.name});
    kinds.push_back({Value::HugeWithin, a, -1, 0, "huge within " + shape.name});
    kinds.push_back({Value::ZeroRows, a, -1, 0, "rows of 0 in " + shape.name});
    kinds.push_back({Value::MinusInfinity, a, -1, 0, "-inf in " + shape.name});
    kinds.push_back({Value::MinusInfinityRows, a, -1, 0, "rows of -inf in " + shape.name});
    kinds.push_back({Value::PlusInfinity, a, -1, 0, "+inf in " + shape.name});
    kinds.push_back({Value::NaN, a, -1, 0, "NaN in " + shape.name});
  }
  for (int a = 0; a < count; ++a)
    for (int onto = 0; onto < count; ++onto)
      if (a != onto && mayShare(shapes[static_cast<std::size_t>(a)], shapes[static_cast<std::size_t>(onto)]))
        addOverlaps(a, onto, shapes, kinds);
  for (const double amount : {10, 1000}) kinds.push_back({Value::Turns, -1, -1, amount, "near +-" + spelled(amount)});
  return kinds;
}

std::vector<Shape> withOverlap(std::vector<Shape> shapes, const DataKind &kind) {
  if (kind.onto < 0) return shapes;
  const Shape &inner = shapes[static_cast<std::size_t>(kind.array)];
  Shape &memory = shapes[static_cast<std::size_t>(kind.onto)];
  memory.written = memory.written || inner.written;
  memory.read = memory.read || inner.read;
  const std::int64_t all = std::max(memory.count(), static_cast<std::int64_t>(kind.amount) + inner.count());
  memory.extents = memory.reach = {all};
  return shapes;
}

} // namespace polymend
