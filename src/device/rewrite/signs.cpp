#include "device/signs.h"

#include "polymend/element_types.h"

namespace polymend::device_room {

namespace {

bool hasNoSign(Type type) { return type == Type::UInt8 || type == Type::UInt16 || type == Type::UInt32; }

/// Does a conversion keep what it is given? That of a size to int does, as entry tests ask.
bool keeps(const Expr &cast) {
  const Expr &value = cast.arg(0);
  if (isShort(value.type())) return holds(limitsOf(cast.type()), limitsOf(value.type()));
  return isInteger(cast.type()) && isInteger(value.type()) &&
         (cast.type() == Type::Int64 || value.type() == Type::Int32 || !reads(value));
}

} // namespace

bool Signs::isNonNegative(const Expr &e) const {
  switch (e.op()) {
  case Op::Integer: return e->integer >= 0;
  case Op::Symbol: return nonNegative.contains(e->name);
  case Op::Add:
  case Op::Mul:
  case Op::Div:
  case Op::FloorDiv:
  case Op::BitOr:
  case Op::BitXor:
  case Op::Min: return isNonNegative(e.arg(0)) && isNonNegative(e.arg(1));
  case Op::BitAnd:
  case Op::Max: return isNonNegative(e.arg(0)) || isNonNegative(e.arg(1));
  case Op::ShiftLeft:
  case Op::ShiftRight:
  case Op::Mod: return isNonNegative(e.arg(0));
  case Op::FloorMod: return e.arg(1).op() == Op::Integer && e.arg(1)->integer > 0;
  case Op::Read: return hasNoSign(e.type());
  case Op::Cast: return hasNoSign(e.type()) || (keeps(e) && isNonNegative(e.arg(0)));
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
