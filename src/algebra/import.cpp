// Expressions to terms. Over the reals a cast between floating types is the identity, exp2 and log2 go through log 2,
// a literal is the exact rational of its double. Infinities may stand only as branches of a select (a masked score) or
// beside max and min; whatever else has no meaning over the reals becomes an opaque function of its arguments.
#include "problem.h"

#include "polymend/element_types.h"

#include <algorithm>
#include <cmath>

namespace polymend::algebra {

static bool isCondition(Op op) {
  return op == Op::Lt || op == Op::Le || op == Op::Eq || op == Op::Ne || op == Op::And || op == Op::Or || op == Op::Not;
}

Term Importer::import(const Expr &e) {
  if (!e) throw Overgrown("an expression is missing");
  const Term result = build(e);
  if (result->kind == Kind::Infinity) throw Overgrown("infinity stands outside a select");
  if (result->size > 3000) throw Overgrown("the expression is too large");
  return result;
}

Term Importer::exact(double value) {
  if (std::isnan(value)) throw Overgrown("the expression holds a NaN");
  if (std::isinf(value)) return terms.infinity(value > 0 ? 1 : -1);
  return terms.number(Rational(value));
}

Term Importer::build(const Expr &e) {
  if (auto at = done.find(e.identity()); at != done.end()) return at->second;
  Term result = nullptr;
  switch (e.op()) {
  case Op::Integer: result = terms.number(Rational(e->integer)); break;
  case Op::Real: result = exact(e->real); break;
  case Op::Symbol:
    result = terms.find(e->name);
    if (!result) throw Overgrown("the symbol " + e->name + " has no role");
    break;
  case Op::Read: throw Overgrown("the expression reads " + e->name);
  case Op::Select: result = masked(e); break;
  case Op::Min:
  case Op::Max:
  case Op::FMin:
  case Op::FMax: result = extreme(e); break;
  default: result = isCondition(e.op()) ? condition(e) : arithmetic(e);
  }
  if (result->size > 3000) throw Overgrown("the expression is too large");
  done[e.identity()] = result;
  return result;
}

Term Importer::masked(const Expr &e) {
  const Term test = condition(e.arg(0)), yes = build(e.arg(1)), no = build(e.arg(2));
  return yes == no ? yes : terms.apply(Op::Select, {test, yes, no});
}

/// A truth value: a comparison, a connective, or anything else compared with zero.
Term Importer::condition(const Expr &e) {
  if (!isCondition(e.op())) {
    if (e.op() == Op::Cast && e.type() == Type::Bool) return condition(e.arg(0));
    return terms.apply(Op::Ne, {import(e), terms.number(0)});
  }
  std::vector<Term> args;
  const bool connective = e.op() == Op::And || e.op() == Op::Or || e.op() == Op::Not;
  for (const Expr &a : e->args) args.push_back(connective ? condition(a) : import(a));
  return terms.apply(e.op(), args);
}

Term Importer::extreme(const Expr &e) {
  const Term a = build(e.arg(0)), b = build(e.arg(1));
  const bool largest = e.op() == Op::Max || e.op() == Op::FMax;
  for (auto [x, other] : {std::pair(a, b), std::pair(b, a)})
    if (x->kind == Kind::Infinity) return (x->value > 0) == largest ? x : other;
  return terms.apply(e.op(), {a, b});
}

Term Importer::arithmetic(const Expr &e) {
  if (e.op() == Op::Neg) {
    const Term a = build(e.arg(0));
    return a->kind == Kind::Infinity ? terms.infinity(a->value > 0 ? -1 : 1) : terms.negate(a);
  }
  if (e.op() == Op::Cast) {
    const bool keeps =
        isInteger(e.type()) && !isFloating(e.arg(0).type()) && holds(limitsOf(e.type()), limitsOf(e.arg(0).type()));
    if (isFloating(e.type()) || keeps) return build(e.arg(0));
    if (e.type() == Type::Bool) return condition(e);
    return opaque(e);
  }
  switch (e.op()) {
  case Op::Add: return terms.sum({import(e.arg(0)), import(e.arg(1))});
  case Op::Sub: return terms.subtract(import(e.arg(0)), import(e.arg(1)));
  case Op::Mul: return terms.product({import(e.arg(0)), import(e.arg(1))});
  case Op::Div:
    if (!isFloating(e.type())) return opaque(e);
    return terms.divide(import(e.arg(0)), import(e.arg(1)));
  default: return function(e);
  }
}

Term Importer::opaque(const Expr &e) {
  std::vector<Term> args;
  for (const Expr &a : e->args) args.push_back(import(a));
  return terms.apply(e.op(), args, e->name, e.type());
}

Term Importer::function(const Expr &e) {
  const Term two = terms.number(2);
  switch (e.op()) {
  case Op::Exp: return terms.apply(Op::Exp, {import(e.arg(0))});
  case Op::Exp2: return terms.apply(Op::Exp, {terms.product({import(e.arg(0)), terms.apply(Op::Log, {two})})});
  case Op::Log: return terms.apply(Op::Log, {import(e.arg(0))});
  case Op::Log2: return terms.divide(terms.apply(Op::Log, {import(e.arg(0))}), terms.apply(Op::Log, {two}));
  case Op::Sqrt: return terms.power(import(e.arg(0)), Rational(1, 2));
  case Op::Pow: return raise(e);
  case Op::Tanh:
  case Op::Sin:
  case Op::Cos:
  case Op::Abs: return terms.apply(e.op(), {import(e.arg(0))});
  case Op::Call: return call(e);
  default: return opaque(e);
  }
}

/// x^q for a small rational q; b^y = exp(y log b) for a positive number b; else opaque.
Term Importer::raise(const Expr &e) {
  const Term base = import(e.arg(0)), exponent = import(e.arg(1));
  if (exponent->kind == Kind::Number && denominator(exponent->value) <= 8 && abs(exponent->value) <= 16)
    return terms.power(base, exponent->value);
  if (base->kind == Kind::Number && base->value > 0)
    return terms.apply(Op::Exp, {terms.product({exponent, terms.apply(Op::Log, {base})})});
  return opaque(e);
}

/// Functions of <cmath> with a meaning over the reals; the others are opaque.
Term Importer::call(const Expr &e) {
  std::string name = e->name;
  if (name.rfind("std::", 0) == 0) name.erase(0, 5);
  if (name.size() > 1 && name.back() == 'f' && name != "erf") name.pop_back();
  auto arg = [&](std::size_t i) { return import(e.arg(i)); };
  const std::size_t count = e->args.size();
  if (name == "fma" && count == 3) return terms.sum({terms.product({arg(0), arg(1)}), arg(2)});
  if (name == "expm1" && count == 1) return terms.sum({terms.apply(Op::Exp, {arg(0)}), terms.number(-1)});
  if (name == "log1p" && count == 1) return terms.apply(Op::Log, {terms.sum({arg(0), terms.number(1)})});
  return opaque(e);
}

} // namespace polymend::algebra
