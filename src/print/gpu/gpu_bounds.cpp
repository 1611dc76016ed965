// Interval arithmetic over quasi-affine expressions, and elimination of a variable at the end of its range at which a
// monotone expression is extreme: sums, minima, maxima and floor divisions keep monotonicity, subtraction turns it.
#include "print/gpu_bounds.h"
#include "print/stride.h"

#include <algorithm>

namespace polymend::print_room {

namespace {

using Constant = std::optional<std::int64_t>;

Constant add(Constant a, Constant b) {
  std::int64_t result = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}

Constant subtract(Constant a, Constant b) {
  std::int64_t result = 0;
  if (!a || !b || __builtin_sub_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}

Constant multiply(Constant a, std::int64_t factor) {
  std::int64_t result = 0;
  if (!a || __builtin_mul_overflow(*a, factor, &result)) return std::nullopt;
  return result;
}

Constant floorDivide(Constant a, std::int64_t divisor) {
  if (!a) return std::nullopt;
  return *a / divisor - (*a % divisor < 0 ? 1 : 0);
}

template <class Choose> Constant both(Constant a, Constant b, Choose choose) {
  if (!a || !b) return std::nullopt;
  return choose(*a, *b);
}

/// The known one, or the choice of both: the bound that either operand gives alone.
template <class Choose> Constant either(Constant a, Constant b, Choose choose) {
  return a && b ? Constant(choose(*a, *b)) : a ? a : b;
}

Bounds scaled(const Bounds &b, std::int64_t factor) {
  const Constant low = multiply(b.low, factor), high = multiply(b.high, factor);
  return factor < 0 ? Bounds{high, low} : Bounds{low, high};
}

Bounds product(const Expr &e, const std::map<std::string, Bounds> &known) {
  if (e.arg(0).op() == Op::Integer) return scaled(boundsOf(e.arg(1), known), e.arg(0)->integer);
  if (e.arg(1).op() == Op::Integer) return scaled(boundsOf(e.arg(0), known), e.arg(1)->integer);
  return {};
}

bool isPositive(const Expr &e) { return e.op() == Op::Integer && e->integer > 0; }

Bounds ofPair(const Expr &e, const std::map<std::string, Bounds> &known) {
  const auto least = [](std::int64_t x, std::int64_t y) { return std::min(x, y); };
  const auto most = [](std::int64_t x, std::int64_t y) { return std::max(x, y); };
  const Bounds a = boundsOf(e.arg(0), known), b = boundsOf(e.arg(1), known);
  switch (e.op()) {
  case Op::Add: return {add(a.low, b.low), add(a.high, b.high)};
  case Op::Sub: return {subtract(a.low, b.high), subtract(a.high, b.low)};
  case Op::Min: return {both(a.low, b.low, least), either(a.high, b.high, least)};
  case Op::Max: return {either(a.low, b.low, most), both(a.high, b.high, most)};
  case Op::Mul: return product(e, known);
  case Op::FloorDiv:
    if (isPositive(e.arg(1))) return {floorDivide(a.low, e.arg(1)->integer), floorDivide(a.high, e.arg(1)->integer)};
    if (a.low && *a.low >= 0 && b.low && *b.low >= 1) return {0, a.high};
    break;
  case Op::FloorMod:
    if (isPositive(e.arg(1))) return {0, e.arg(1)->integer - 1};
    break;
  default: break;
  }
  return {};
}

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

Expr extreme(const Expr &e, const PointDim &dim, bool upper) {
  if (!dependsOn(e, dim.variable)) return e;
  switch (e.op()) {
  case Op::Symbol: return upper ? simplify(dim.limit - Expr::integer(1)) : dim.first;
  case Op::Add:
  case Op::Min:
  case Op::Max: return extremeOfPair(e, extreme(e.arg(0), dim, upper), extreme(e.arg(1), dim, upper));
  case Op::Sub: return extremeOfPair(e, extreme(e.arg(0), dim, upper), extreme(e.arg(1), dim, !upper));
  case Op::Mul: return extremeOfProduct(e, dim, upper);
  case Op::FloorDiv: return isPositive(e.arg(1)) ? extremeOfPair(e, extreme(e.arg(0), dim, upper), e.arg(1)) : Expr();
  case Op::Cast: return isInteger(e.type()) && isInteger(e.arg(0).type()) ? extreme(e.arg(0), dim, upper) : Expr();
  default: return {};
  }
}

} // namespace

Bounds boundsOf(const Expr &e, const std::map<std::string, Bounds> &known) {
  if (e.op() == Op::Integer) return {e->integer, e->integer};
  if (e.op() == Op::Symbol) {
    const auto at = known.find(e->name);
    return at == known.end() ? Bounds{} : at->second;
  }
  if (e.op() == Op::Neg) return scaled(boundsOf(e.arg(0), known), -1);
  if (e.op() == Op::Cast && isInteger(e.type()) && isInteger(e.arg(0).type())) return boundsOf(e.arg(0), known);
  return e->args.size() == 2 ? ofPair(e, known) : Bounds{};
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

} // namespace polymend::print_room
