#include "device/flags.h"

#include "device/walk.h"

namespace polymend::device_room {

namespace {

bool isBit(const Expr &e) { return e.op() == Op::Integer && (e->integer == 0 || e->integer == 1); }

bool isChoiceOfBits(const Expr &e) { return e.op() == Op::Select && isBit(e.arg(1)) && isBit(e.arg(2)); }

/// Does every node that sets the array set it to 0 or 1?
bool holdsBits(const DeviceBlock &block, const std::string &array) {
  return std::all_of(block.begin(), block.end(), [&](const DeviceNode &node) {
    if (const auto *assign = std::get_if<DeviceAssign>(&node)) {
      const TileAssign &a = assign->what;
      const bool joins = a.update == Update::Set || a.update == Update::Max;
      return a.target.array != array || (joins && (isBit(a.value) || isChoiceOfBits(a.value)));
    }
    const std::vector<const DeviceBlock *> inner = blocksOf(node);
    if (inner.empty()) return !touches(node, array);
    return std::all_of(inner.begin(), inner.end(), [&](const DeviceBlock *b) { return holdsBits(*b, array); });
  });
}

Expr negated(const Expr &e) { return e.op() == Op::Not ? e.arg(0) : Expr::make(Op::Not, Type::Bool, {e}); }

/// The assignment as one of a constant, where it is a maximum with a choice of 0 and 1.
DeviceNode asFlag(const DeviceNode &node, const std::string &array) {
  const auto *assign = std::get_if<DeviceAssign>(&node);
  if (!assign || assign->what.target.array != array) return node;
  TileAssign a = assign->what;
  if (a.update != Update::Max || !isChoiceOfBits(a.value)) return node;
  const std::int64_t then = a.value.arg(1)->integer, otherwise = a.value.arg(2)->integer;
  if (then == otherwise) return node;
  const Expr raises = then == 1 ? a.value.arg(0) : negated(a.value.arg(0));
  a.where = a.where ? Expr::make(Op::And, Type::Bool, {a.where, raises}) : raises;
  a.value = Expr::integer(1, a.value.type());
  a.update = Update::Set;
  return DeviceAssign{a, false, false};
}

DeviceBlock asFlags(const DeviceBlock &block, const std::string &array) {
  DeviceBlock result;
  for (const DeviceNode &node : block)
    result.push_back(withBlocks(asFlag(node, array), [&](const DeviceBlock &inner) { return asFlags(inner, array); }));
  return result;
}

} // namespace

DeviceKernel withFlags(DeviceKernel kernel) {
  for (const DeviceTile &tile : kernel.tiles)
    if (isInteger(tile.array.type) && holdsBits(kernel.body, tile.array.name))
      kernel.body = asFlags(kernel.body, tile.array.name);
  return kernel;
}

} // namespace polymend::device_room
