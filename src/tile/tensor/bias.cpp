// What is added to a scaled product of matrices is where its sum begins: S = 0; S += Q K; S = a S + R becomes S = R /
// a; S += Q K, and a S is read in place of S. The sum takes R on its way, and the element-wise pass over S goes: of a
// score with a term for its position there remains what every score has. Rounding: R is rounded once more, to the
// relative precision that it had, and the sum's partial results are as large as R / a where they were as large as the
// product.
#include "tile/matrix.h"
#include "tile/touched.h"
#include "tile/visit.h"

#include <cmath>
#include <optional>
#include <set>

namespace polymend {
namespace {

constexpr double mostScale = 1048576; // beyond it and its inverse a sum is not moved: far from overflow

/// The region's only assignment, to all elements of a matrix in its point variables.
const TileAssign *fillOf(const TileNode &node, const std::string &matrix) {
  const TilePoints *points = as<TilePoints>(node);
  if (!points || points->dims.size() != 2 || points->body.size() != 1) return nullptr;
  const TileAssign &a = points->body[0];
  if (a.target.array != matrix || a.update != Update::Set || a.where || a.target.subscripts.size() != 2) return nullptr;
  for (std::size_t k = 0; k < 2; ++k) {
    const Expr &s = a.target.subscripts[k];
    if (points->dims[k].kind != PointDim::Kind::Parallel || s.op() != Op::Symbol) return nullptr;
  }
  return &a;
}

bool mentionsMatrix(const TileNode &node, const std::string &matrix) {
  const TilePoints *points = as<TilePoints>(node);
  if (!points) return !as<TileNote>(node);
  const Touched touched = touchedBy(*points);
  return touched.reads.contains(matrix) || touched.writes.contains(matrix);
}

bool isOwnElement(const Expr &e, const TileAssign &a) {
  return e.op() == Op::Read && e->name == a.target.array && e->args.size() == 2 &&
         equal(e.arg(0), a.target.subscripts[0]) && equal(e.arg(1), a.target.subscripts[1]);
}

/// a S + R.
struct Scaled {
  double scale = 1;
  Expr added;
};

/// The factor of the element that the assignment sets, where the expression is a positive multiple of it.
std::optional<double> multipleOf(const Expr &e, const TileAssign &a) {
  if (isOwnElement(e, a)) return 1;
  if (e.op() != Op::Mul) return std::nullopt;
  for (const std::size_t k : {0U, 1U})
    if (isOwnElement(e.arg(k), a) && e.arg(1 - k).op() == Op::Real) return e.arg(1 - k)->real;
  return std::nullopt;
}

std::optional<Scaled> scaledOf(const TileAssign &a) {
  if (a.value.op() != Op::Add && a.value.op() != Op::Sub) return std::nullopt;
  for (const std::size_t k : {0U, 1U}) {
    const std::optional<double> scale = multipleOf(a.value.arg(k), a);
    if (!scale || (k == 1 && a.value.op() == Op::Sub)) continue;
    const Expr &other = a.value.arg(1 - k);
    if (!(*scale >= 1 / mostScale && *scale <= mostScale) || reads(other, a.target.array)) continue;
    return Scaled{*scale, a.value.op() == Op::Sub ? Expr::make(Op::Neg, other.type(), {other}) : other};
  }
  return std::nullopt;
}

/// Is the term made of the position and of values that stand still over the points? Such a one costs the same before
/// the product as after it.
bool isOfPosition(const Expr &e, const TileAssign &a) {
  bool result = true;
  visit(e, [&](const Expr &node) {
    if (node.op() == Op::Read)
      for (const Expr &s : node->args)
        for (const Expr &own : a.target.subscripts) result = result && !symbols(s).contains(own->name);
    result = result && node.op() != Op::Call && node.op() != Op::Select;
  });
  return result;
}

/// factor * e, with the factor next to what stands still.
Expr times(const Expr &e, const Expr &factor, const TileAssign &a) {
  const auto stands = [&](const Expr &x) {
    const std::set<std::string> used = symbols(x);
    return !used.contains(a.target.subscripts[0]->name) && !used.contains(a.target.subscripts[1]->name);
  };
  if (e.op() == Op::Add || e.op() == Op::Sub)
    return Expr::make(e.op(), e.type(), {times(e.arg(0), factor, a), times(e.arg(1), factor, a)});
  if (e.op() == Op::Neg) return Expr::make(Op::Neg, e.type(), {times(e.arg(0), factor, a)});
  if (e.op() == Op::Mul && stands(e.arg(1))) return e.arg(0) * (e.arg(1) * factor);
  if (e.op() == Op::Mul) return (e.arg(0) * factor) * e.arg(1);
  return e * factor;
}

/// Masks the matrix with -inf where a condition does not hold: the same before a positive scale and what is added.
bool isMasking(const TileAssign &a) {
  const Expr &v = a.value;
  if (v.op() != Op::Select || !isOwnElement(v.arg(1), a)) return false;
  const bool down = v.arg(2).op() == Op::Real && std::isinf(v.arg(2)->real) && v.arg(2)->real < 0;
  return down && !reads(v.arg(0), a.target.array);
}

/// Where the sum that node number `at` changes begins: the region that clears the matrix.
std::optional<std::size_t> startOf(const TileBlock &block, std::size_t at, const std::string &matrix) {
  bool summed = false;
  for (std::size_t k = at; k-- > 0;) {
    if (!mentionsMatrix(block[k], matrix)) continue;
    const TilePoints *points = as<TilePoints>(block[k]);
    if (!points || points->body.size() != 1 || points->body[0].target.array != matrix) return std::nullopt;
    const TileAssign &a = points->body[0];
    if (a.update == Update::Sum && !summed && !a.where && !reads(a.value, matrix)) {
      summed = true;
      continue;
    }
    const TileAssign *fill = fillOf(block[k], matrix);
    if (!fill) return std::nullopt;
    if (summed && fill->value.op() == Op::Real && fill->value->real == 0) return k;
    if (summed || !isMasking(*fill)) return std::nullopt;
  }
  return std::nullopt;
}

TileNode withBody(const TilePoints &points, const std::function<TileAssign(TileAssign)> &f) {
  TilePoints copy = points;
  for (TileAssign &a : copy.body) a = f(a);
  return nodeOf(copy);
}

/// The block with the change of node number `at` made where its sum begins; absent: it cannot be.
std::optional<TileBlock> moved(const TileBlock &block, std::size_t at) {
  const TilePoints *points = as<TilePoints>(block[at]);
  if (!points || points->body.size() != 1) return std::nullopt;
  const std::string &matrix = points->body[0].target.array;
  const TileAssign *change = fillOf(block[at], matrix);
  if (!change || change->value.type() != Type::Float32) return std::nullopt;
  const std::optional<Scaled> scaled = scaledOf(*change);
  if (!scaled || !isOfPosition(scaled->added, *change)) return std::nullopt;
  const std::optional<std::size_t> start = startOf(block, at, matrix);
  if (!start) return std::nullopt;
  TileBlock result = block;
  const Expr begun = times(scaled->added, Expr::real(1 / scaled->scale, Type::Float32), *change);
  result[*start] = withBody(*as<TilePoints>(block[*start]), [&](TileAssign a) {
    a.value = substitute(begun, [&](const std::string &name) {
      for (std::size_t k = 0; k < 2; ++k)
        if (change->target.subscripts[k]->name == name) return a.target.subscripts[k];
      return Expr();
    });
    return a;
  });
  const auto rescaled = [&](const Expr &e) {
    if (!e || scaled->scale == 1) return e;
    return rewrite(e, [&](const Expr &node) {
      if (node.op() != Op::Read || node->name != matrix) return node;
      return node * Expr::real(scaled->scale, Type::Float32);
    });
  };
  for (std::size_t k = at + 1; k < result.size(); ++k) {
    if (!mentionsMatrix(result[k], matrix)) continue;
    const TilePoints *later = as<TilePoints>(result[k]);
    if (!later) return std::nullopt;
    const bool set = fillOf(result[k], matrix) != nullptr;
    for (const TileAssign &a : later->body)
      if (a.target.array == matrix && !set) return std::nullopt;
    result[k] = withBody(*later, [&](TileAssign a) {
      a.value = rescaled(a.value);
      a.where = rescaled(a.where);
      return a;
    });
    if (set) break;
  }
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(at));
  return result;
}

} // namespace

Result<RectangularKernel> startFromBias(RectangularKernel kernel, const PassContext & /*context*/) {
  if (!kernel.loop) return kernel;
  for (TileBlock *block : {&kernel.loop->full, &kernel.loop->masked})
    for (std::size_t k = 0; k < block->size(); ++k) {
      const TilePoints *points = as<TilePoints>((*block)[k]);
      if (!points || points->body.empty()) continue;
      const std::string matrix = points->body[0].target.array;
      bool outside = false;
      for (const TileNode &node : kernel.after) outside = outside || mentionsMatrix(node, matrix);
      if (outside) continue;
      if (auto changed = moved(*block, k)) *block = *changed;
    }
  return kernel;
}

} // namespace polymend
