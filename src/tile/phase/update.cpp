// Sums of products take their factors from tiles.
#include "update.h"

#include "rectangular_update.h"
#include "regions.h"
#include "values.h"

namespace polymend {
namespace {

/// A sum of one constant over a region with one reduced dimension is the constant times the number of its points.
TileBlock counted(const TileBlock &summed, const Expr &value) {
  TileBlock block;
  for (const TileNode &node : summed) {
    const auto *points = as<TilePoints>(node);
    if (!points || points->dims.back().kind != PointDim::Kind::Reduced || points->body.front().where) {
      block.push_back(node);
      continue;
    }
    TilePoints fewer = *points;
    const PointDim last = fewer.dims.back();
    fewer.dims.pop_back();
    const Expr count = Expr::make(Op::Max, Type::Int64, {simplify(last.limit - last.first), Expr::integer(0)});
    fewer.body.front().value = value * Expr::cast(value.type(), simplify(count));
    if (fewer.dims.empty())
      block.emplace_back(fewer.body.front());
    else
      block.emplace_back(nodeOf(fewer));
  }
  return block;
}

} // namespace

Emitted update(const PhaseContext &context, Hoisting &hoisting, const Seated &seated, const Ref &target, Update update,
               const Expr &value, const std::vector<ChosenRead> &chosen) {
  if (context.frame.rectangular) return rectangularUpdate(context, hoisting, seated, target, update, value);
  const bool reorder = context.frame.options.reorder;
  const auto at = [&](const Expr &term) {
    return points(context, seated, seated.order(), seated.parallel.size(), {{target, update, term, {}}});
  };
  const bool counts = update == Update::Sum && value.op() == Op::Real && seated.reduced.size() == 1;
  if (counts && reorder && seated.loops.empty())
    return {{}, counted(at(value), Expr::real(value->real, typeOfTile(context, target.array))), {}};
  const bool product = update == Update::Sum && !seated.reduced.empty() && seated.parallel.size() > 1;
  std::vector<Expr> kept;
  for (const ChosenRead &one : chosen) kept.push_back(one.read);
  Slim slim = hoisting.slim(context, seated, product && reorder ? regroup(seated, value) : value, product, {}, kept);
  append(slim.inner, at(slim.value));
  append(slim.outer, wrapOwn(seated, false, slim.inner));
  return {slim.before, slim.outer, {}};
}

} // namespace polymend
