// A value far below a rounding of all that is usual is 0 to sums and products, but not to what divides by it. From one
// equation to the next: what is made of the value without such an operation may be divided by in its turn.
#include "sees_size.h"

#include <algorithm>
#include <cmath>

namespace polymend {
namespace {

/// What an expression does with a value near zero.
struct Sight {
  bool passed = false; // what is made of it is near zero with it
  bool seen = false;
};

/// Is it a number beside which what is near zero does not count?
bool covers(const Expr &e) {
  constexpr double least = 0x1p-60;
  return e.op() == Op::Real && std::fabs(e->real) >= least;
}

bool isHidden(const Expr &e) {
  switch (e.op()) {
  case Op::Exp:
  case Op::Exp2:
  case Op::Cos:
  case Op::Lt:
  case Op::Le:
  case Op::Eq:
  case Op::Ne: return true;
  case Op::Add:
  case Op::Sub:
  case Op::Min:
  case Op::Max:
  case Op::FMin:
  case Op::FMax: return covers(e.arg(0)) || covers(e.arg(1));
  default: return false;
  }
}

/// Does the operation tell a small number from 0, or from its opposite, by its k-th operand?
bool tells(const Expr &e, std::size_t k) {
  switch (e.op()) {
  case Op::Div: return k == 1;
  case Op::Pow: return k == 0;
  case Op::Log:
  case Op::Log2:
  case Op::Sqrt:
  case Op::Call: return true;
  default: return false;
  }
}

/// What becomes in `e` of the values of these equations.
Sight sightOf(const Expr &e, const Equation &of, const std::vector<bool> &near) {
  if (e.op() == Op::Read && e->access >= 0) {
    const int equation = of.operands[static_cast<std::size_t>(e->access)].equation;
    return {equation >= 0 && near[static_cast<std::size_t>(equation)], false};
  }
  Sight all;
  for (std::size_t k = 0; k < e->args.size(); ++k) {
    const Sight one = sightOf(e.arg(k), of, near);
    all.seen = all.seen || one.seen || (one.passed && tells(e, k));
    all.passed = all.passed || one.passed;
  }
  all.passed = all.passed && !isHidden(e);
  return all;
}

} // namespace

bool seesSize(const System &system, int equation) {
  std::vector<bool> near(system.equations.size(), false);
  near[static_cast<std::size_t>(equation)] = true;
  for (std::size_t k = static_cast<std::size_t>(equation) + 1; k < system.equations.size(); ++k) {
    const Equation &e = system.equations[k];
    for (const Expr &part : {e.value, e.initial}) {
      const Sight sight = part ? sightOf(part, e, near) : Sight{};
      if (sight.seen) return true;
      near[k] = near[k] || sight.passed;
    }
  }
  return false;
}

} // namespace polymend
