// In a masked chunk every reduction guards its points. Where -inf or 0 at the masked points of one matrix makes all
// that follows neutral (a maximum ignores -inf, exp gives 0, 0 adds nothing and weighs nothing), that matrix is masked
// once and the guards go. Rows' values count as finite: where they are not, the row's result is not either, and it is
// computed again.
#include "masked_value.h"

#include "polymend/joined_by.h"
#include "tile/matrix.h"
#include "tile/visit.h"

#include <algorithm>
#include <optional>

namespace polymend {
namespace {

/// Do the two conditions say the same but for the order of what they join?
bool saysSame(const Expr &a, const Expr &b) {
  if (!a || !b) return false;
  if (equal(a, b)) return true;
  if (a.op() != b.op() || (a.op() != Op::And && a.op() != Op::Or)) return false;
  const std::vector<Expr> own = joinedBy(a.op(), a);
  std::vector<Expr> other = joinedBy(b.op(), b);
  if (own.size() != other.size()) return false;
  for (const Expr &one : own) {
    const auto found = std::find_if(other.begin(), other.end(), [&](const Expr &e) { return saysSame(one, e); });
    if (found == other.end()) return false;
    other.erase(found);
  }
  return true;
}

/// The masked operand without its selection, where it is one by this condition.
std::optional<Expr> unguarded(const Expr &value, const Expr &mask) {
  if (value.op() != Op::Select || !saysSame(value.arg(0), mask)) return std::nullopt;
  return value.arg(1);
}

/// An element set to itself.
bool isIdentity(const TileAssign &a) {
  return a.update == Update::Set && a.value.op() == Op::Read && a.value->name == a.target.array &&
         std::equal(a.target.subscripts.begin(), a.target.subscripts.end(), a.value->args.begin(), a.value->args.end(),
                    [](const Expr &x, const Expr &y) { return equal(x, y); });
}

/// The body with `matrix` masked by the neutral element of `monoid`, a maximum or a sum, after the region number `at`
/// that makes it; absent: a guard would still be needed.
std::optional<TileBlock> maskedAt(const TileBlock &body, std::size_t at, const std::string &matrix, Monoid monoid,
                                  const Expr &mask, const std::vector<std::string> &names) {
  MaskedFacts facts{{{matrix, monoid == Monoid::Max ? MaskedValue::NegativeInfinity : MaskedValue::Zero}}};
  TileBlock result(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  TilePoints fill = *as<TilePoints>(body[at]);
  TileAssign &assign = fill.body[0];
  std::erase_if(fill.dims, [](const PointDim &d) { return d.kind != PointDim::Kind::Parallel; });
  if (fill.dims.size() != 2) return std::nullopt;
  // The mask in the names of this region.
  const Expr own = substitute(mask, [&](const std::string &name) {
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == name && k < assign.target.subscripts.size()) return assign.target.subscripts[k];
    return Expr();
  });
  const Type type = assign.value.type();
  assign.update = Update::Set;
  assign.where = {};
  assign.value =
      Expr::make(Op::Select, type, {own, Expr::read(matrix, assign.target.subscripts, type), neutral(monoid, type)});
  result.push_back(nodeOf(fill));
  for (std::size_t k = at + 1; k < body.size(); ++k) {
    const TilePoints *points = as<TilePoints>(body[k]);
    if (!points) {
      result.push_back(body[k]);
      continue;
    }
    TilePoints copy = *points;
    for (TileAssign &a : copy.body) {
      if (a.target.array == matrix && a.update != Update::Set) return std::nullopt;
      if (a.where && saysSame(a.where, mask)) {
        const MaskedValue value = maskedValue(a.value, facts);
        const bool isNeutral =
            (a.update == Update::Sum && value == MaskedValue::Zero) ||
            ((a.update == Update::Max || a.update == Update::FMax) && value == MaskedValue::NegativeInfinity);
        if (!isNeutral) return std::nullopt;
        a.where = {};
      }
      if (const auto inner = unguarded(a.value, mask)) {
        if (maskedValue(*inner, facts) != MaskedValue::Zero) return std::nullopt;
        a.value = *inner;
      }
      if (a.update == Update::Set && a.target.subscripts.size() == 2)
        facts.matrices[a.target.array] = maskedValue(a.value, facts);
    }
    const bool kept =
        std::any_of(copy.body.begin(), copy.body.end(), [](const TileAssign &a) { return !isIdentity(a); });
    if (kept) result.push_back(nodeOf(copy));
  }
  return result;
}

/// The one condition that guards regions of the body, and the point variables of the first such region.
Expr guardOf(const TileBlock &body, std::vector<std::string> &names) {
  Expr mask;
  for (const TileNode &node : body) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points || points->dims.size() != 2) continue;
    for (const TileAssign &a : points->body)
      if (a.where && points->dims[1].kind != PointDim::Kind::Parallel) {
        if (mask && !saysSame(mask, a.where)) return {};
        mask = a.where;
        names = {points->dims[0].variable, points->dims[1].variable};
      }
  }
  return mask;
}

/// Masks one matrix of the loop's masked chunks.
void maskOnce(ChunkLoop &loop) {
  std::vector<std::string> names;
  const Expr mask = guardOf(loop.masked, names);
  if (!mask) return;
  // A matrix that is made after a guarded region leaves that guard, and is none of what the guards are about.
  const auto isGuarded = [&](const TilePoints &points) {
    return std::any_of(points.body.begin(), points.body.end(), [&](const TileAssign &a) {
      return (a.where && saysSame(a.where, mask)) || unguarded(a.value, mask);
    });
  };
  for (std::size_t k = 0; k < loop.masked.size(); ++k) {
    const TilePoints *points = as<TilePoints>(loop.masked[k]);
    if (points && isGuarded(*points)) return;
    if (!points || points->body.size() != 1 || points->body[0].target.subscripts.size() != 2) continue;
    const TileAssign &a = points->body[0];
    const bool made = a.update == Update::Sum || (a.update == Update::Set && a.value.op() != Op::Real);
    if (!made || !isFloating(a.value.type()) || isNarrow(a.value.type())) continue;
    for (const Monoid monoid : {Monoid::Max, Monoid::Sum})
      if (auto body = maskedAt(loop.masked, k, a.target.array, monoid, mask, names)) {
        loop.masked = *body;
        return;
      }
  }
}

} // namespace

Result<RectangularKernel> maskOnce(RectangularKernel kernel, const PassContext & /*context*/) {
  if (kernel.loop) maskOnce(*kernel.loop);
  return kernel;
}

} // namespace polymend
