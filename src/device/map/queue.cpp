// Which elements of an argument go to the device and come back: all of [0, n) where its extents say how many these are,
// none where no loop touches any; else those between the first and the last that is touched. Where nobody can tell
// which these are, nothing is copied: the program runs on memory of the device alone.
#include "polymend/map.h"

#include "device/extents.h"
#include "entry_tests.h"
#include "in_order.h"

#include <algorithm>

namespace polymend {

namespace {

using namespace device_room;

/// Does it say no more than that there are elements, of which there are so many?
bool saysSome(const Expr &condition, const Expr &count) {
  if (condition.op() != Op::Le && condition.op() != Op::Lt) return false;
  const Expr room = condition.arg(1) - condition.arg(0);
  return equal(simplify(condition.op() == Op::Le ? room + Expr::integer(1) : room), simplify(count));
}

bool isResult(const TileArray &array, const TileProgram &program) { return program.returns && array.name == "return"; }

/// Where no extent is negative, that two of them together could look like elements; absent: no two can.
Expr whereNoneIsNegative(const TileArray &array) {
  Expr all;
  int unknown = 0;
  for (const Expr &extent : array.extents) {
    if (!extent || extent.op() == Op::Integer) continue;
    const Expr positive = Expr::make(Op::Lt, {Expr::integer(0), extent});
    all = all ? Expr::make(Op::And, {all, positive}) : positive;
    ++unknown;
  }
  return unknown > 1 ? all : Expr();
}

/// How many elements of [0, n) are copied: none where no loop touches any, whatever n is, and one where rows without
/// elements are read.
Expr countOf(const TileArray &array, const TileProgram &program) {
  const auto touched = std::find_if(program.touched.begin(), program.touched.end(),
                                    [&](const TouchedElements &one) { return one.array == array.name && one.plain; });
  const auto either = [](const Expr &where, const Expr &then, const Expr &otherwise) {
    return Expr::make(Op::Select, Type::Int64, {where, then, otherwise});
  };
  const Expr some = whereNoneIsNegative(array);
  Expr count = some ? either(some, elementsOf(array), Expr::integer(0)) : elementsOf(array);
  if (touched == program.touched.end()) return count;
  if (!touched->parts.empty()) count = either(touched->parts.front().where, count, Expr::integer(0));
  return touched->first ? either(touched->first, Expr::integer(1), count) : count;
}

/// Where no element need go to the device.
Expr filledOf(const TileArray &array, const Entry &access) {
  const Expr filled = access.touchedOf(array) ? Expr() : access.whereFilled(array);
  if (!filled) return {};
  return array.extents.size() == 1 && saysSome(filled, elementsOf(array)) ? Expr::integer(1, Type::Bool) : filled;
}

std::vector<DeviceCopy> copiesOf(const TileProgram &program, const Entry &access) {
  std::vector<DeviceCopy> copies;
  for (const TileArray &a : program.arrays) {
    if (a.space != Space::Argument || access.isUntouched(a)) continue;
    const bool result = isResult(a, program);
    copies.push_back({a.name, access.touchedOf(a) ? Expr() : simplify(countOf(a, program)),
                      result ? Expr() : filledOf(a, access), result || access.isStored(a)});
  }
  return copies;
}

/// For which sizes the program does anything, where loops within which rows of tiles lie do not tell: tiles are copied
/// and rows are stored whether anything is computed for them or not.
Expr whereAnythingIsStored(const TileProgram &program) {
  Expr where;
  if (!hasRoles(program) || program.returns) return {};
  for (const TouchedElements &touched : program.touched) {
    if (!touched.stored) continue;
    const Expr own = touched.plain && touched.parts.size() == 1 ? touched.parts.front().where : Expr();
    if (!own || (where && !equal(where, own))) return {};
    where = own;
  }
  return where;
}

/// What only the device can tell of arguments: which index arrays fall, and pairs.
std::vector<EntryTest> askedOf(const Function &function, const TileProgram &program, const Entry &access) {
  std::vector<const TileArray *> arguments;
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument) arguments.push_back(&a);
  std::vector<EntryTest> asked = risingTests(function);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::size_t j = i + 1; j < arguments.size(); ++j)
      if (access.apart(*arguments[i], *arguments[j]) == Apart::Data)
        asked.push_back({EntryTest::Kind::Elements, arguments[i]->name, arguments[j]->name});
  return asked;
}

constexpr std::string_view isUnknown = "' is unknown, so that it cannot be copied to a device";
constexpr std::string_view isOpen = "it cannot be told at entry whether '";
constexpr std::string_view isRough = "' are touched is known too roughly for a copy to a device";

/// Why arguments cannot be copied to a device and back, on which the program runs all the same where they are there.
std::optional<Refusal> notCopied(const Function &function, const TileProgram &program, const Entry &host) {
  for (const TileArray &a : program.arrays)
    if (a.space == Space::Argument && !host.isBounded(a))
      return Refusal{"the number of elements of '" + a.name + std::string(isUnknown), function.where};
  for (const TouchedElements &touched : program.touched)
    if (touched.around) return Refusal{"which elements of '" + touched.array + std::string(isRough), function.where};
  return host.refuse();
}

/// Can nobody call the entry on memory of a device? Nor may the other one ask nothing of index arrays.
bool isCopiedOnly(const Function &function, const TileProgram &program) {
  return function.isRegion || !program.guard.checks.empty();
}

std::optional<Refusal> unbounded(const Function &function, const TileProgram &program) {
  for (const TileArray &a : program.arrays)
    if (a.space != Space::Argument && !elementsOf(a))
      return Refusal{"the number of elements of '" + a.name + std::string(isUnknown), function.where};
  return Entry(function, program, Side::Device).refuse();
}

} // namespace

bool needsLengths(const std::string &reason) {
  return reason.ends_with(isUnknown) || reason.ends_with(isRough) || reason.starts_with(isOpen);
}

std::optional<Refusal> mapEntries(const Function &function, const TileProgram &program, bool strict,
                                  DeviceProgram &mapped) {
  const Entry access(function, program, Side::Copied), device(function, program, Side::Device);
  auto kept = notCopied(function, program, access);
  if (kept && isCopiedOnly(function, program)) return kept;
  if (const auto refusal = unbounded(function, program)) return kept ? kept : refusal;
  if (kept) mapped.entry = {{}, Expr::integer(1), {}, {}, kept->reason};
  if (!kept) mapped.entry.tests = testsOf(function, program, Side::Copied);
  DeviceQueue queue{testsOf(function, program, Side::Device),
                    askedOf(function, program, device),
                    {},
                    kept ? std::vector<DeviceCopy>() : copiesOf(program, access),
                    whereAnythingIsStored(program)};
  if (!queue.asked.empty()) {
    const auto inOrder = mapInOrder(function, program, strict);
    if (!inOrder)
      return Refusal{"data choose whether its own order is needed, and that order has no text on a device: " +
                         inOrder.refusal().reason,
                     inOrder.refusal().where};
    queue.inOrder = *inOrder;
  }
  mapped.queue = std::move(queue);
  return std::nullopt;
}

} // namespace polymend
