// Expressions as straight-line programs over slots, for evaluating them many times in float and in double.
#pragma once

#include "polymend/real_operation.h"

#include <cmath>
#include <map>

namespace polymend::algebra {

struct Instruction {
  Op op = Op::Real;
  double constant = 0;
  std::size_t args[3] = {0, 0, 0};
};

/// Programs that share their symbols: slot k of the input is the symbol numbered k.
class Straight {
public:
  /// The number of the symbol, new or known.
  std::size_t symbol(const std::string &name);
  /// A program for the expression; throws std::runtime_error where it holds what has no floating meaning.
  std::vector<Instruction> compile(const Expr &e);
  [[nodiscard]] std::size_t count() const { return numbers.size(); }

private:
  using Slots = std::map<const void *, std::size_t>;
  std::size_t build(const Expr &e, std::vector<Instruction> &program, Slots &done);
  std::map<std::string, std::size_t> numbers;
};

template <class T> T applied(const Instruction &i, const std::vector<T> &at) {
  const T a = at[i.args[0]], b = at[i.args[1]];
  switch (i.op) {
  case Op::FMax: return a < b ? b : a;
  case Op::FMin: return b < a ? b : a;
  case Op::Lt: return a < b ? T(1) : T(0);
  case Op::Le: return a <= b ? T(1) : T(0);
  case Op::Eq: return a == b ? T(1) : T(0);
  case Op::Ne: return a != b ? T(1) : T(0);
  case Op::And: return a != 0 && b != 0 ? T(1) : T(0);
  case Op::Or: return a != 0 || b != 0 ? T(1) : T(0);
  case Op::Not: return a == 0 ? T(1) : T(0);
  case Op::Select: return a != 0 ? b : at[i.args[2]];
  case Op::Cast: return a;
  default: return realOperation(i.op, a, b, [&] { return static_cast<T>(i.constant); });
  }
}

/// Runs a program; `at` is scratch.
template <class T>
T evaluate(const std::vector<Instruction> &program, const std::vector<T> &symbols, std::vector<T> &at) {
  at.resize(program.size());
  for (std::size_t k = 0; k < program.size(); ++k)
    at[k] = program[k].op == Op::Symbol ? symbols[program[k].args[0]] : applied(program[k], at);
  return at.back();
}

} // namespace polymend::algebra
