#include "print/host_values.h"

#include <algorithm>
#include <limits>

namespace polymend::print_room {

namespace {

/// A division by a constant is a product.
bool isQuotient(const Expr &e) {
  const bool divides = e.op() == Op::FloorDiv || e.op() == Op::FloorMod || e.op() == Op::Div || e.op() == Op::Mod;
  return divides && e.arg(1).op() != Op::Integer;
}

/// Is it above zero whatever the sizes are?
bool isPositive(const Expr &e) {
  switch (e.op()) {
  case Op::Integer: return e->integer > 0;
  case Op::Max: return isPositive(e.arg(0)) || isPositive(e.arg(1));
  case Op::Min: return isPositive(e.arg(0)) && isPositive(e.arg(1));
  case Op::Cast: return isPositive(e.arg(0));
  default: return false;
  }
}

} // namespace

Expr forAllSizes(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    if (!isQuotient(node) || isPositive(node.arg(1))) return node;
    const Expr zero = Expr::make(Op::Eq, {node.arg(1), Expr::integer(0)});
    ExprNode safe = *node;
    safe.args[1] = Expr::make(Op::Select, node.arg(1).type(), {zero, Expr::integer(1), node.arg(1)});
    return Expr(safe);
  });
}

bool isDivisor(const Expr &e) { return e.op() == Op::Cast && e.type() == Type::Int32; }

bool HostValues::covers(const Expr &e) const {
  if (!e || !isInteger(e.type()) || e.op() == Op::Integer || e.op() == Op::Symbol) return false;
  bool divides = isDivisor(e), any = false;
  visit(e, [&](const Expr &node) {
    divides = divides || isQuotient(node);
    any = any || node.op() == Op::Symbol;
  });
  return divides && any && isOverSizes(e);
}

const HostValue *HostValues::find(const Expr &e) const {
  const auto at = std::find_if(values.begin(), values.end(), [&](const HostValue &v) { return equal(v.value, e); });
  return at == values.end() ? nullptr : &*at;
}

Expr asDivisor(const Expr &e) {
  const Expr most = Expr::integer(std::numeric_limits<std::int32_t>::max());
  return Expr::cast(Type::Int32, Expr::make(Op::Min, Type::Int64, {e, most}));
}

} // namespace polymend::print_room
