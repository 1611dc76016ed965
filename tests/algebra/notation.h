// Notation for the tests of this room: expressions over float symbols, candidates from chains of reductions, and an
// evaluator of expressions in any floating type.
#pragma once

#include "polymend/algebra.h"

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

namespace notation {

using polymend::AlgebraSymbol;
using polymend::Candidate;
using polymend::Expr;
using polymend::Monoid;
using polymend::Op;
using polymend::Type;

inline Expr sym(const std::string &name) { return Expr::symbol(name, Type::Float32); }
inline Expr index(const std::string &name) { return Expr::symbol(name, Type::Int64); }
inline Expr num(double value) { return Expr::real(value, Type::Float32); }
inline Expr of(Op op, const Expr &a) { return Expr::make(op, Type::Float32, {a}); }
inline Expr of(Op op, const Expr &a, const Expr &b) { return Expr::make(op, Type::Float32, {a, b}); }
inline Expr operator/(const Expr &a, const Expr &b) { return of(Op::Div, a, b); }
inline Expr operator-(const Expr &a) { return of(Op::Neg, a); }
inline Expr exp(const Expr &a) { return of(Op::Exp, a); }
inline Expr log(const Expr &a) { return of(Op::Log, a); }
inline Expr sqrt(const Expr &a) { return of(Op::Sqrt, a); }
inline Expr abs(const Expr &a) { return of(Op::Abs, a); }
inline Expr sigmoid(const Expr &a) { return num(1) / (num(1) + exp(-a)); }
inline Expr less(const Expr &a, const Expr &b) { return Expr::make(Op::Le, Type::Bool, {a, b}); }
inline Expr select(const Expr &test, const Expr &yes, const Expr &no) {
  return Expr::make(Op::Select, Type::Float32, {test, yes, no});
}
inline Expr infinity() { return num(std::numeric_limits<double>::infinity()); }

struct Reduction {
  std::string name;
  Monoid monoid;
  Expr element;
};

/// A chain of reductions, each reading those before it; the last is the consumer.
struct Family {
  std::string name;
  std::vector<Reduction> reductions;
  int rank = 1;
  bool moves = true;
};

/// Names that stand for parameters in every family.
inline bool isParameter(const std::string &name) { return name == "N" || name == "i"; }
/// Names whose values are positive in every family.
inline bool isPositive(const std::string &name) { return name == "p"; }

inline Candidate candidate(const Family &family) {
  Candidate result;
  const Reduction &last = family.reductions.back();
  result.monoid = last.monoid;
  result.element = last.element;
  std::set<std::string> names;
  for (const Reduction &r : family.reductions)
    for (const std::string &name : polymend::symbols(r.element)) names.insert(name);
  for (const Reduction &r : family.reductions) {
    names.erase(r.name);
    if (r.name == last.name) continue;
    AlgebraSymbol producer;
    producer.name = r.name;
    producer.role = AlgebraSymbol::Role::Producer;
    producer.monoid = r.monoid;
    producer.element = r.element;
    result.symbols.push_back(producer);
  }
  for (const std::string &name : names) {
    AlgebraSymbol symbol;
    symbol.name = name;
    symbol.role = isParameter(name) ? AlgebraSymbol::Role::Parameter : AlgebraSymbol::Role::Element;
    symbol.natural = isParameter(name);
    if (isPositive(name)) symbol.signs = {false, false, true};
    result.symbols.push_back(symbol);
  }
  return result;
}

template <class T> using Values = std::map<std::string, T>;

template <class T> T evaluate(const Expr &e, const Values<T> &values) {
  auto arg = [&](std::size_t i) { return evaluate<T>(e.arg(i), values); };
  switch (e.op()) {
  case Op::Integer: return static_cast<T>(e->integer);
  case Op::Real: return static_cast<T>(e->real);
  case Op::Symbol: return values.at(e->name);
  case Op::Neg: return -arg(0);
  case Op::Add: return arg(0) + arg(1);
  case Op::Sub: return arg(0) - arg(1);
  case Op::Mul: return arg(0) * arg(1);
  case Op::Div: return arg(0) / arg(1);
  case Op::Exp: return std::exp(arg(0));
  case Op::Exp2: return std::exp2(arg(0));
  case Op::Log: return std::log(arg(0));
  case Op::Log2: return std::log2(arg(0));
  case Op::Sqrt: return std::sqrt(arg(0));
  case Op::Tanh: return std::tanh(arg(0));
  case Op::Sin: return std::sin(arg(0));
  case Op::Cos: return std::cos(arg(0));
  case Op::Abs: return std::abs(arg(0));
  case Op::Pow: return std::pow(arg(0), arg(1));
  case Op::Max:
  case Op::FMax: return std::max(arg(0), arg(1));
  case Op::Min:
  case Op::FMin: return std::min(arg(0), arg(1));
  case Op::Lt: return arg(0) < arg(1);
  case Op::Le: return arg(0) <= arg(1);
  case Op::Eq: return arg(0) == arg(1);
  case Op::Ne: return arg(0) != arg(1);
  case Op::Not: return arg(0) == 0;
  case Op::And: return arg(0) != 0 && arg(1) != 0;
  case Op::Or: return arg(0) != 0 || arg(1) != 0;
  case Op::Select: return arg(0) != 0 ? arg(1) : arg(2);
  case Op::Cast: return arg(0);
  default: throw std::logic_error("no value for " + polymend::show(e));
  }
}

template <class T> T identity(Monoid monoid) {
  switch (monoid) {
  case Monoid::Sum: return 0;
  case Monoid::Product: return 1;
  case Monoid::Max: return -std::numeric_limits<T>::infinity();
  case Monoid::Min: return std::numeric_limits<T>::infinity();
  }
  return 0;
}

template <class T> T combine(Monoid monoid, T a, T b) {
  switch (monoid) {
  case Monoid::Sum: return a + b;
  case Monoid::Product: return a * b;
  case Monoid::Max: return std::max(a, b);
  case Monoid::Min: return std::min(a, b);
  }
  return a;
}

} // namespace notation
