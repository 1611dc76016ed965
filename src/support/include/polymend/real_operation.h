// What an operation on floating numbers means, for all that run expressions.
#pragma once

#include "polymend/expr.h"

#include <cmath>

namespace polymend {

/// The result in T of an operation that takes one or two floating operands and gives one (see Op); `b` is nobody's
/// where it takes one. Any other has the result of `otherwise()`.
template <class T, class Otherwise> T realOperation(Op op, T a, T b, const Otherwise &otherwise) {
  switch (op) {
  case Op::Neg: return -a;
  case Op::Add: return a + b;
  case Op::Sub: return a - b;
  case Op::Mul: return a * b;
  case Op::Div: return a / b;
  case Op::Min: return b < a ? b : a;
  case Op::Max: return a < b ? b : a;
  case Op::FMin: return std::fmin(a, b);
  case Op::FMax: return std::fmax(a, b);
  case Op::Exp: return std::exp(a);
  case Op::Exp2: return std::exp2(a);
  case Op::Log: return std::log(a);
  case Op::Log2: return std::log2(a);
  case Op::Sqrt: return std::sqrt(a);
  case Op::Tanh: return std::tanh(a);
  case Op::Sin: return std::sin(a);
  case Op::Cos: return std::cos(a);
  case Op::Abs: return std::fabs(a);
  case Op::Floor: return std::floor(a);
  case Op::Ceil: return std::ceil(a);
  case Op::Round: return std::round(a);
  case Op::Trunc: return std::trunc(a);
  case Op::Pow: return std::pow(a, b);
  default: return otherwise();
  }
}

} // namespace polymend
