// A product is taken apart at multiplications of its own type. A 16-bit value is found below widening conversions
// alone: a conversion to another 16-bit type rounds.
#include "polymend/factors.h"

namespace polymend {
namespace {

void collect(const Expr &e, Type type, std::vector<Expr> &factors) {
  if (e.op() != Op::Mul || e.type() != type) {
    factors.push_back(e);
    return;
  }
  collect(e.arg(0), type, factors);
  collect(e.arg(1), type, factors);
}

} // namespace

std::vector<Expr> factorsOf(const Expr &product) {
  std::vector<Expr> factors;
  collect(product, product.type(), factors);
  return factors;
}

Expr productOf(const std::vector<Expr> &factors) {
  Expr product;
  for (const Expr &factor : factors) product = product ? product * factor : factor;
  return product;
}

Expr unconverted(const Expr &factor) {
  Expr value = factor;
  while (value.op() == Op::Cast && isFloating(value.arg(0).type())) value = value.arg(0);
  return value;
}

Expr narrowOf(const Expr &factor) {
  Expr value = factor;
  while (value.op() == Op::Cast && isFloating(value.type()) && isFloating(value.arg(0).type()) &&
         (!isNarrow(value.type()) || value.type() == value.arg(0).type()))
    value = value.arg(0);
  return isNarrow(value.type()) ? value : Expr();
}

} // namespace polymend
