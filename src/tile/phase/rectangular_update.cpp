// In a rectangular kernel what lies outside a domain is guarded (reductions) or zero (operands of products). Where
// copies give zero there, or rows that are not finite are computed again, a product needs no guard.
#include "rectangular_update.h"

#include "regions.h"
#include "turns.h"

#include "polymend/factors.h"
#include "polymend/points.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// A product of a 16-bit factor and a wider one, with the wider one rounded to the other's type.
Expr roundedAlike(const Expr &product) {
  if (product.op() != Op::Mul || product.type() != Type::Float32) return product;
  const Expr a = narrowOf(product.arg(0)), b = narrowOf(product.arg(1));
  const auto rounded = [](Type type, const Expr &e) { return Expr::cast(Type::Float32, Expr::cast(type, e)); };
  if (a && !b) return product.arg(0) * rounded(a.type(), product.arg(1));
  if (b && !a) return rounded(b.type(), product.arg(0)) * product.arg(1);
  return product;
}

/// The operands that are factors of a product as they are.
std::set<int> bareFactors(const Expr &product) {
  std::set<int> bare;
  for (const Expr &factor : factorsOf(product))
    if (const Expr read = unconverted(factor); read.op() == Op::Read) bare.insert(read->access);
  return bare;
}

/// The array in memory that holds what an operand reads, null: a tile does.
const TileArray *arrayOf(const PhaseContext &context, const Operand &operand) {
  std::string name = operand.array;
  if (operand.equation >= 0) {
    const auto home = context.frame.homes.find(operand.equation);
    if (home == context.frame.homes.end() || !home->second.global) return nullptr;
    name = home->second.array;
  }
  const auto array = std::find_if(context.frame.arrays->begin(), context.frame.arrays->end(),
                                  [&](const TileArray &a) { return a.name == name; });
  return array == context.frame.arrays->end() ? nullptr : &*array;
}

/// The operands of a sum's terms but those that only say where another is read.
std::set<int> readOperands(const Equation &e) {
  std::set<int> all, choosing;
  for (std::size_t k = 0; k < e.operands.size(); ++k)
    if (domainDimension(e.operands[k].map) >= e.dims.size()) all.insert(static_cast<int>(k)); // else where it begins
  visit(e.value, [&](const Expr &read) {
    if (read.op() != Op::Read) return;
    for (const Expr &subscript : read->args)
      visit(subscript, [&](const Expr &node) {
        if (node.op() == Op::Read) choosing.insert(node->access);
      });
  });
  for (const int k : choosing) all.erase(k);
  return all;
}

/// Do copies of the operands give zero at the points of a product's box that are outside the domain? They do where
/// every subscript is outside its array there: one that is, whatever others are, which data choose or no extent bounds.
bool copiesZeroOutside(const PhaseContext &context, const Seated &seated, const std::set<int> &operands) {
  const Equation &e = seated.equation;
  isl_set *keys = isl_set_add_dims(e.keyDomain.copy(), isl_dim_set, static_cast<unsigned>(e.dims.size()) - e.keys);
  keys = isl_set_set_tuple_id(keys, isl_set_get_tuple_id(e.domain.get()));
  isl_set *reached = isl_set_subtract(keys, e.domain.copy());
  for (unsigned d = e.keys; d < e.dims.size(); ++d) reached = isl_set_lower_bound_si(reached, isl_dim_set, d, 0);
  const isl::set outside = atTurns(context, isl::manage(reached), seated);
  for (const int k : operands) {
    const Operand &operand = e.operands[static_cast<std::size_t>(k)];
    const TileArray *array = arrayOf(context, operand);
    if (!array) return false;
    const isl::map everywhere =
        isl::manage(isl_map_gist_domain(operand.map.copy(), isl_map_domain(operand.map.copy())));
    isl::set touched = isl::manage(isl_set_reset_tuple_id(isl_set_apply(outside.copy(), everywhere.copy())));
    std::vector<std::string> names;
    std::vector<Expr> places;
    for (std::size_t d = 0; d < array->extents.size(); ++d) {
      names.push_back("x" + std::to_string(d));
      places.push_back(Expr::symbol(names.back(), Type::Int64));
    }
    if (operand.equation >= 0) places = workPlace(context.frame.equation(operand.equation), places);
    Expr inside;
    for (std::size_t d = 0; d < array->extents.size(); ++d) {
      if (!array->extents[d]) continue;
      const Expr &x = places[d];
      const Expr both = Expr::make(
          Op::And, {Expr::make(Op::Le, {Expr::integer(0), x}), Expr::make(Op::Lt, {x, usedExtent(*array, d)})});
      inside = inside ? Expr::make(Op::And, {inside, both}) : both;
    }
    if (!inside) return false;
    const auto within = pointsWhere(inside, touched, names);
    if (!within || !within->is_empty()) return false;
  }
  return true;
}

/// The same of the operands that are factors as they are, if any.
bool bareFactorsZeroOutside(const PhaseContext &context, const Seated &seated) {
  std::set<int> bare = bareFactors(seated.equation.value);
  bare.erase(-1);
  return !bare.empty() && copiesZeroOutside(context, seated, bare);
}

/// A product with both factors rounded alike, where that is asked for; the first chunk tells of it.
Expr rounded(const PhaseContext &context, const Seated &seated, const Expr &product) {
  const Expr alike = roundedAlike(product);
  if (equal(alike, product) || !context.full) return alike;
  const bool brain = narrowOf(alike.arg(0)).type() == Type::BFloat16;
  context.frame.approximations.emplace_back("a factor of '" + seated.equation.array + "' rounded to " +
                                                spell(brain ? Type::BFloat16 : Type::Float16),
                                            brain ? "2^-9" : "2^-12");
  return alike;
}

} // namespace

Emitted rectangularUpdate(const PhaseContext &context, Hoisting &hoisting, const Seated &seated, const Ref &target,
                          Update update, const Expr &value) {
  const bool product = update == Update::Sum && !seated.reduced.empty() && seated.parallel.size() > 1;
  Expr mask = maskOf(context, seated);
  Expr operands = product ? regroup(seated, value, true) : value;
  if (product && context.frame.options.approximate) operands = rounded(context, seated, operands);
  const Slim slim = hoisting.slim(context, seated, operands, product, product ? mask : Expr());
  Emitted emitted{slim.before, slim.outer, {}};
  if (product) {
    // Zero times an infinite factor counts: rows where that happens are computed again, or the factor is zero there.
    const bool neutral = mask && !slim.neutral;
    const bool zero = mask && (neutral ? bareFactorsZeroOutside(context, seated)
                                       : copiesZeroOutside(context, seated, readOperands(seated.equation)));
    const bool whole = seated.member.role == Member::Role::Reduce && context.share.part.empty();
    if (neutral && !zero && seated.member.mended < 0 && whole) emitted.watched.insert(seated.member.equation);
    if (zero || (neutral && (seated.member.mended >= 0 || whole))) mask = {};
  }
  append(emitted.body, emitPoints({boxOf(seated.axes, seated.order())}, {{target, update, slim.value, mask}},
                                  seated.parallel.size(), context.frame.options.reorder));
  return emitted;
}

} // namespace polymend
