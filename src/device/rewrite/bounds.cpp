// Elimination of a variable at the end of its range at which a monotone expression is extreme: sums, minima, maxima and
// floor divisions keep monotonicity, subtraction turns it.
#include "device/bounds.h"
#include "device/depends.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

bool isPositive(const Expr &e) { return e.op() == Op::Integer && e->integer > 0; }

Expr extreme(const Expr &e, const PointDim &dim, bool upper);

Expr extremeOfPair(const Expr &e, const Expr &a, const Expr &b) {
  return a && b ? simplify(Expr::make(e.op(), e.type(), {a, b})) : Expr();
}

Expr extremeOfProduct(const Expr &e, const PointDim &dim, bool upper) {
  for (const std::size_t constant : {0U, 1U}) {
    if (e.arg(constant).op() != Op::Integer) continue;
    const bool turned = e.arg(constant)->integer < 0;
    return extremeOfPair(e, e.arg(constant), extreme(e.arg(1 - constant), dim, upper != turned));
  }
  return {};
}

Expr extremeOfNegative(const Expr &e, const PointDim &dim, bool upper) {
  const Expr inner = extreme(e.arg(0), dim, !upper);
  return inner ? simplify(Expr::make(Op::Neg, e.type(), {inner})) : Expr();
}

Expr extreme(const Expr &e, const PointDim &dim, bool upper) {
  if (!dependsOn(e, dim.variable)) return e;
  switch (e.op()) {
  case Op::Symbol: return upper ? simplify(dim.limit - Expr::integer(1)) : dim.first;
  case Op::Add:
  case Op::Min:
  case Op::Max: return extremeOfPair(e, extreme(e.arg(0), dim, upper), extreme(e.arg(1), dim, upper));
  case Op::Sub: return extremeOfPair(e, extreme(e.arg(0), dim, upper), extreme(e.arg(1), dim, !upper));
  case Op::Neg: return extremeOfNegative(e, dim, upper);
  case Op::Mul: return extremeOfProduct(e, dim, upper);
  case Op::FloorDiv: return isPositive(e.arg(1)) ? extremeOfPair(e, extreme(e.arg(0), dim, upper), e.arg(1)) : Expr();
  case Op::Cast: return isInteger(e.type()) && isInteger(e.arg(0).type()) ? extreme(e.arg(0), dim, upper) : Expr();
  default: return {};
  }
}

} // namespace

Interval boundsOf(const Expr &e, const std::map<std::string, Interval> &known) {
  return intervalOf(e, [&](const Expr &leaf) {
    const auto at = leaf.op() == Op::Symbol ? known.find(leaf->name) : known.end();
    return at == known.end() ? Interval{} : at->second;
  });
}

Expr withoutVariable(const Expr &e, const PointDim &dim, bool upper) { return extreme(e, dim, upper); }

std::optional<Box> boxOf(const std::vector<PointDim> &dims, std::size_t index) {
  Expr first = dims[index].first, limit = dims[index].limit;
  for (std::size_t i = index; i-- > 0;) {
    first = withoutVariable(first, dims[i], false);
    limit = withoutVariable(limit, dims[i], true);
    if (!first || !limit) return std::nullopt;
  }
  return Box{first, limit};
}

} // namespace polymend::device_room
