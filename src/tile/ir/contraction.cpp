// Contractions are recognised from subscripts alone: one dimension of the box is summed, the target moves along the two
// others, and each factor moves along the summed dimension and one of the two.
#include "polymend/contraction.h"

#include "polymend/factors.h"

#include <algorithm>

namespace polymend {
namespace {

/// The tile that a factor reads: of 16-bit elements, through exact conversions, or of the sum's own type.
Expr operandOf(const Expr &factor, const std::vector<TileArray> &tiles) {
  const Expr narrow = narrowOf(factor), value = narrow ? narrow : factor;
  if (value.op() != Op::Read || !isFloating(value.type()) || value->args.size() != 2) return {};
  const bool tile = std::any_of(tiles.begin(), tiles.end(), [&](const TileArray &t) { return t.name == value->name; });
  return tile ? value : Expr();
}

bool isOfType(const std::string &name, Type type, const std::vector<TileArray> &tiles) {
  return std::any_of(tiles.begin(), tiles.end(), [&](const TileArray &t) { return t.name == name && t.type == type; });
}

/// The two subscripts are these two variables, in any order.
bool movesAlong(const std::vector<Expr> &subscripts, const std::string &a, const std::string &b) {
  if (subscripts.size() != 2 || subscripts[0].op() != Op::Symbol || subscripts[1].op() != Op::Symbol) return false;
  const std::string &x = subscripts[0]->name, &y = subscripts[1]->name;
  return (x == a && y == b) || (x == b && y == a);
}

} // namespace

std::optional<Contraction> contractionOf(const TilePoints &points, const std::vector<TileArray> &tiles) {
  if (points.dims.size() != 3 || points.body.size() != 1) return std::nullopt;
  const TileAssign &assign = points.body[0];
  const bool sum = assign.update == Update::Sum && !assign.where && assign.value.op() == Op::Mul &&
                   assign.target.subscripts.size() == 2;
  if (!sum) return std::nullopt;
  Contraction result;
  for (const PointDim &d : points.dims)
    if (d.kind != PointDim::Kind::Parallel) result.k = d.variable;
  result.target = assign.target;
  for (const Expr &subscript : result.target.subscripts)
    if (subscript.op() != Op::Symbol) return std::nullopt;
  result.m = result.target.subscripts[0]->name;
  result.n = result.target.subscripts[1]->name;
  if (result.k.empty() || result.k == result.m || result.k == result.n || result.m == result.n) return std::nullopt;
  const Expr x = operandOf(assign.value.arg(0), tiles), y = operandOf(assign.value.arg(1), tiles);
  if (!x || !y || x.type() != y.type()) return std::nullopt;
  if (!isNarrow(x.type()) && !isOfType(result.target.array, x.type(), tiles)) return std::nullopt;
  const bool straight = movesAlong(x->args, result.m, result.k);
  const Expr &a = straight ? x : y, &b = straight ? y : x;
  if (!movesAlong(a->args, result.m, result.k) || !movesAlong(b->args, result.n, result.k)) return std::nullopt;
  result.a = {a->name, a->args};
  result.b = {b->name, b->args};
  return result;
}

} // namespace polymend
