// Builds expressions: each factory wraps an immutable node; `make` without a type applies C's usual arithmetic
// conversions to the operands' types, so that a tree built by hand is typed like the source it stands for.
#include "polymend/expr.h"

#include <algorithm>

namespace polymend {

namespace {

/// The common type of two operands: the wider floating type, else the wider integer, never narrower than int.
Type common(Type a, Type b) {
  if (isFloating(a) && isFloating(b)) return std::max(a, b);
  if (isFloating(a)) return a;
  if (isFloating(b)) return b;
  return std::max({a, b, Type::Int32});
}

Type floatingOf(Type type) { return isFloating(type) ? type : Type::Float64; }

Type resultType(Op op, const std::vector<Expr> &args) {
  const auto typeOf = [&](std::size_t i) { return i < args.size() ? args[i].type() : Type::Int32; };
  switch (op) {
  case Op::Lt:
  case Op::Le:
  case Op::Eq:
  case Op::Ne:
  case Op::And:
  case Op::Or:
  case Op::Not: return Type::Bool;
  case Op::Select: return typeOf(1) == typeOf(2) ? typeOf(1) : common(typeOf(1), typeOf(2));
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::Mod:
  case Op::FloorDiv:
  case Op::FloorMod:
  case Op::Min:
  case Op::Max:
  case Op::BitAnd:
  case Op::BitOr:
  case Op::BitXor: return common(typeOf(0), typeOf(1));
  case Op::FMin:
  case Op::FMax:
  case Op::Pow: return floatingOf(common(typeOf(0), typeOf(1)));
  case Op::Neg:
  case Op::Abs:
  case Op::ShiftLeft:
  case Op::ShiftRight: return common(typeOf(0), Type::Int32);
  default: return floatingOf(typeOf(0));
  }
}

} // namespace

Expr::Expr(ExprNode content) : node(std::make_shared<const ExprNode>(std::move(content))) {}

Expr Expr::integer(std::int64_t value, Type type) {
  ExprNode n;
  n.op = Op::Integer;
  n.type = type;
  n.integer = value;
  return Expr(std::move(n));
}

Expr Expr::real(double value, Type type) {
  ExprNode n;
  n.op = Op::Real;
  n.type = type;
  n.real = value;
  return Expr(std::move(n));
}

Expr Expr::symbol(std::string name, Type type) {
  ExprNode n;
  n.op = Op::Symbol;
  n.type = type;
  n.name = std::move(name);
  return Expr(std::move(n));
}

Expr Expr::read(std::string array, std::vector<Expr> subscripts, Type type, int access) {
  ExprNode n;
  n.op = Op::Read;
  n.type = type;
  n.name = std::move(array);
  n.args = std::move(subscripts);
  n.access = access;
  return Expr(std::move(n));
}

Expr Expr::make(Op op, std::vector<Expr> args, SourceRange where) {
  const Type type = resultType(op, args);
  return make(op, type, std::move(args), std::move(where));
}

Expr Expr::make(Op op, Type type, std::vector<Expr> args, SourceRange where) {
  ExprNode n;
  n.op = op;
  n.type = type;
  n.args = std::move(args);
  n.where = std::move(where);
  return Expr(std::move(n));
}

Expr Expr::call(std::string function, std::vector<Expr> args, Type type, SourceRange where) {
  ExprNode n;
  n.op = Op::Call;
  n.type = type;
  n.name = std::move(function);
  n.args = std::move(args);
  n.where = std::move(where);
  return Expr(std::move(n));
}

bool isOwnCall(const Expr &e) { return e.op() == Op::Call && e->name.starts_with("::"); }

Expr Expr::cast(Type type, Expr value) {
  const SourceRange where = value->where;
  return make(Op::Cast, type, {std::move(value)}, where);
}

Expr operator+(const Expr &a, const Expr &b) { return Expr::make(Op::Add, {a, b}); }
Expr operator-(const Expr &a, const Expr &b) { return Expr::make(Op::Sub, {a, b}); }
Expr operator*(const Expr &a, const Expr &b) { return Expr::make(Op::Mul, {a, b}); }

} // namespace polymend
