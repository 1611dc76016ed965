// Sums, products and quotients with one operand that sees the element, and choices between such.
#include "linear_in.h"

namespace polymend {
namespace {

Expr timesOf(const Expr &a, const Expr &b) { return !a ? b : !b ? a : Expr::make(Op::Mul, b.type(), {a, b}, b->where); }

/// Of a choice between two such: both sides are.
std::optional<LinearParts> linearChoice(const Expr &e, const std::string &x) {
  if (reads(e.arg(0), x)) return std::nullopt;
  std::optional<LinearParts> sides[2];
  for (std::size_t k = 0; k < 2; ++k) {
    sides[k] = linearIn(e.arg(k + 1), x);
    if (!sides[k]) return std::nullopt;
  }
  const auto choose = [&](const Expr &a, const Expr &b, double other) {
    const Expr plain = Expr::real(other, e.type());
    return !a && !b ? Expr() : Expr::make(Op::Select, e.type(), {e.arg(0), a ? a : plain, b ? b : plain}, e->where);
  };
  return LinearParts{choose(sides[0]->factor, sides[1]->factor, 1), choose(sides[0]->term, sides[1]->term, 0)};
}

} // namespace

std::optional<LinearParts> linearIn(const Expr &e, const std::string &x) {
  if (e.op() == Op::Read && e->name == x) return LinearParts{};
  if (!isFloating(e.type()) || isNarrow(e.type())) return std::nullopt;
  if (e.op() == Op::Select) return linearChoice(e, x);
  if (e.op() != Op::Add && e.op() != Op::Sub && e.op() != Op::Mul && e.op() != Op::Div) return std::nullopt;
  const bool left = reads(e.arg(0), x), right = reads(e.arg(1), x);
  if (left == right) return std::nullopt;
  const Expr &own = e.arg(left ? 0 : 1), &other = e.arg(left ? 1 : 0);
  if (own.type() != e.type()) return std::nullopt;
  const auto inner = linearIn(own, x);
  if (!inner) return std::nullopt;
  switch (e.op()) {
  case Op::Mul: {
    LinearParts result{timesOf(inner->factor, other), {}};
    if (inner->term) result.term = timesOf(inner->term, other);
    return result;
  }
  case Op::Div: {
    if (right) return std::nullopt;
    const Expr inverse = Expr::make(Op::Div, e.type(), {Expr::real(1, e.type()), other}, e->where);
    LinearParts result{timesOf(inner->factor, inverse), {}};
    if (inner->term) result.term = Expr::make(Op::Div, e.type(), {inner->term, other}, e->where);
    return result;
  }
  case Op::Sub: {
    if (right) return std::nullopt;
    const Expr less = Expr::make(Op::Neg, other.type(), {other}, e->where);
    return LinearParts{inner->factor,
                       inner->term ? Expr::make(Op::Sub, e.type(), {inner->term, other}, e->where) : less};
  }
  default:
    return LinearParts{inner->factor,
                       inner->term ? Expr::make(Op::Add, e.type(), {inner->term, other}, e->where) : other};
  }
}

} // namespace polymend
