// No NaN is at most the largest number.
#include "conditions.h"

#include <limits>

namespace polymend {
namespace {

Expr largest(Type type) {
  if (type == Type::Float64) return Expr::real(std::numeric_limits<double>::max(), type);
  return Expr::real(std::numeric_limits<float>::max(), Type::Float32);
}

} // namespace

Expr isFinite(const Expr &value) {
  return Expr::make(Op::Le, {Expr::make(Op::Abs, value.type(), {value}), largest(value.type())});
}

Expr isWithin(double bound, const Expr &value) {
  if (value.type() != Type::Float32) return isFinite(value);
  return Expr::make(Op::Le, {Expr::make(Op::Abs, value.type(), {value}), Expr::real(bound, Type::Float32)});
}

Expr markUnless(const Expr &regular) {
  return Expr::make(Op::Select, Type::Int32, {regular, Expr::integer(0, Type::Int32), Expr::integer(1, Type::Int32)});
}

Expr both(const Expr &a, const Expr &b) { return a && b ? Expr::make(Op::And, {a, b}) : a ? a : b; }

Expr branchCondition(const Expr &e, std::size_t operand) {
  if (e.op() != Op::Select || operand == 0) return {};
  return operand == 1 ? e.arg(0) : Expr::make(Op::Not, {e.arg(0)});
}

} // namespace polymend
