#include "device/signs.h"

namespace polymend::device_room {

bool Signs::isNonNegative(const Expr &e) const {
  switch (e.op()) {
  case Op::Integer: return e->integer >= 0;
  case Op::Symbol: return nonNegative.contains(e->name);
  case Op::Add:
  case Op::Mul:
  case Op::Div:
  case Op::FloorDiv:
  case Op::Min: return isNonNegative(e.arg(0)) && isNonNegative(e.arg(1));
  case Op::Max: return isNonNegative(e.arg(0)) || isNonNegative(e.arg(1));
  case Op::Mod: return isNonNegative(e.arg(0));
  case Op::FloorMod: return e.arg(1).op() == Op::Integer && e.arg(1)->integer > 0;
  case Op::Cast: return isInteger(e.type()) && isInteger(e.arg(0).type()) && isNonNegative(e.arg(0));
  default: return false;
  }
}

void Signs::note(const PointDim &dim) {
  if (isNonNegative(simplify(dim.first)))
    nonNegative.insert(dim.variable);
  else
    nonNegative.erase(dim.variable);
}

bool isOver(const Expr &e, const std::set<std::string> &known) {
  bool all = true;
  visit(e, [&](const Expr &node) {
    const bool foreign = node.op() == Op::Read || node.op() == Op::Call;
    all = all && !foreign && isInteger(node.type()) && (node.op() != Op::Symbol || known.contains(node->name));
  });
  return all;
}

} // namespace polymend::device_room
