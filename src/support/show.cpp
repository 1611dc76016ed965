// Expressions as text for people: infix, with parentheses only where C's precedence needs them, and numbers in their
// shortest form that reads back to the same value of the node's type.
#include "polymend/expr.h"

#include <array>
#include <charconv>
#include <cmath>

namespace polymend {

namespace {

enum Precedence { Conditional = 1, Disjunction, Conjunction, Bits, Equality, Relation, Sum, Product, Unary, Primary };

struct Infix {
  const char *token;
  Precedence precedence;
};

Infix infixOf(Op op) {
  switch (op) {
  case Op::Add: return {" + ", Sum};
  case Op::Sub: return {" - ", Sum};
  case Op::Mul: return {" * ", Product};
  case Op::Div: return {" / ", Product};
  case Op::Mod: return {" % ", Product};
  case Op::Lt: return {" < ", Relation};
  case Op::Le: return {" <= ", Relation};
  case Op::Eq: return {" == ", Equality};
  case Op::Ne: return {" != ", Equality};
  case Op::BitAnd: return {" & ", Bits};
  case Op::BitOr: return {" | ", Bits};
  case Op::BitXor: return {" ^ ", Bits};
  case Op::ShiftLeft: return {" << ", Bits};
  case Op::ShiftRight: return {" >> ", Bits};
  case Op::And: return {" && ", Conjunction};
  case Op::Or: return {" || ", Disjunction};
  default: return {nullptr, Primary};
  }
}

template <class T> std::string shortest(T value) {
  std::array<char, 64> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

std::string number(double value, Type type) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  std::string text = type == Type::Float32 ? shortest(static_cast<float>(value)) : shortest(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string at(const Expr &e, int outer);

std::string list(const std::vector<Expr> &args) {
  std::string text;
  for (const Expr &arg : args) text += (text.empty() ? "" : ", ") + at(arg, 0);
  return text;
}

std::string subscripted(const Expr &e) {
  std::string text = e->name;
  for (const Expr &arg : e->args) text += "[" + at(arg, 0) + "]";
  return text;
}

std::string infix(const Expr &e, const Infix &form) {
  const Expr &right = e.arg(1);
  if (e.op() == Op::Add && right.op() == Op::Integer && right->integer < 0 && right->integer != INT64_MIN)
    return at(e.arg(0), Sum) + " - " + std::to_string(-right->integer);
  if (form.precedence == Bits) return at(e.arg(0), Unary) + form.token + at(right, Unary);
  return at(e.arg(0), form.precedence) + form.token + at(right, form.precedence + 1);
}

Precedence precedenceOf(const Expr &e) {
  switch (e.op()) {
  case Op::Select: return Conditional;
  case Op::Neg:
  case Op::Not: return Unary;
  case Op::Integer: return e->integer < 0 ? Unary : Primary;
  case Op::Real: return std::signbit(e->real) ? Unary : Primary;
  default: return infixOf(e.op()).precedence;
  }
}

std::string plain(const Expr &e) {
  switch (e.op()) {
  case Op::Integer:
    if (e.type() == Type::Bool) return e->integer != 0 ? "true" : "false";
    return std::to_string(e->integer);
  case Op::Real: return number(e->real, e.type());
  case Op::Symbol: return e->name;
  case Op::Read: return subscripted(e);
  case Op::Neg: return "-" + at(e.arg(0), Primary);
  case Op::Not: return "!" + at(e.arg(0), Unary);
  case Op::Select:
    return at(e.arg(0), Disjunction) + " ? " + at(e.arg(1), Conditional) + " : " + at(e.arg(2), Conditional);
  case Op::Call: return e->name + "(" + list(e->args) + ")";
  case Op::Cast: return spell(e.type()) + "(" + list(e->args) + ")";
  default: break;
  }
  const Infix form = infixOf(e.op());
  return form.token != nullptr ? infix(e, form) : std::string(functionName(e.op())).append("(" + list(e->args) + ")");
}

std::string at(const Expr &e, int outer) {
  if (!e) return "?";
  const std::string text = plain(e);
  return precedenceOf(e) < outer ? "(" + text + ")" : text;
}

} // namespace

std::string show(const Expr &e) { return at(e, 0); }

} // namespace polymend
