// Sums of products take their factors from tiles. What a sum adds alike to several rows is summed once.
#include "update.h"

#include "rectangular_update.h"
#include "regions.h"
#include "values.h"

#include <algorithm>
#include <optional>

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

/// The parallel dimensions of a region along which neither the term moves nor how far the others run.
std::vector<PointDim> dimensionsAlike(const TilePoints &summed) {
  std::vector<PointDim> alike;
  for (const PointDim &dim : summed.dims) {
    const auto moves = [&](const Expr &e) { return symbols(e).contains(dim.variable); };
    const bool isFree = dim.kind == PointDim::Kind::Parallel && !moves(summed.body.front().value) &&
                        std::ranges::none_of(summed.dims, [&](const PointDim &other) {
                          return moves(other.first) || moves(other.limit);
                        });
    if (isFree) alike.push_back(dim);
  }
  return alike;
}

/// A tile for what several rows add alike, one element for each point of the dimensions left; absent where one of these
/// is of no known length.
std::optional<Ref> tileOfShares(const PhaseContext &context, const Seated &seated, const Ref &target,
                                const std::vector<PointDim> &left) {
  TileArray tile;
  Ref share;
  for (const PointDim &dim : left) {
    const auto axis =
        std::ranges::find_if(seated.axes, [&](const Axis &one) { return one.point == dim.variable && one.extent > 0; });
    if (axis == seated.axes.end()) return {};
    tile.extents.push_back(Expr::integer(axis->extent));
    share.subscripts.push_back(axis->local());
  }
  tile.name = share.array = context.frame.unique(target.array + "_share");
  tile.type = typeOfTile(context, target.array);
  tile.written = true;
  context.frame.tiles.push_back(tile);
  return share;
}

/// Where rows add the same terms, their sum is made once and added to each of them.
TileBlock addedOnce(const PhaseContext &context, const Seated &seated, const TileBlock &summed) {
  TileBlock block;
  for (const TileNode &node : summed) {
    const auto *points = as<TilePoints>(node);
    const bool isSum = points && points->body.size() == 1 && !points->body.front().where &&
                       points->dims.back().kind == PointDim::Kind::Reduced;
    const std::vector<PointDim> alike = isSum ? dimensionsAlike(*points) : std::vector<PointDim>();
    TilePoints once = isSum ? *points : TilePoints(), each = once;
    const auto isAlike = [&](const PointDim &dim) {
      return std::ranges::any_of(alike, [&](const PointDim &one) { return one.variable == dim.variable; });
    };
    const auto isReduced = [](const PointDim &dim) { return dim.kind == PointDim::Kind::Reduced; };
    std::erase_if(once.dims, isAlike);
    std::erase_if(each.dims, isReduced);
    TilePoints start = once;
    std::erase_if(start.dims, isReduced);
    const auto share = alike.empty() || start.dims.empty()
                           ? std::nullopt
                           : tileOfShares(context, seated, points->body.front().target, start.dims);
    if (!share) {
      block.push_back(node);
      continue;
    }
    const Type type = typeOfTile(context, share->array);
    start.body = {{*share, Update::Set, isFloating(type) ? Expr::real(0, type) : Expr::integer(0, type), {}}};
    once.body.front().target = *share;
    each.body.front().value = Expr::read(share->array, share->subscripts, type);
    for (const TilePoints &part : {start, once, each}) block.push_back(nodeOf(part));
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
  const TileBlock summed = at(slim.value);
  append(slim.inner, update == Update::Sum && reorder ? addedOnce(context, seated, summed) : summed);
  append(slim.outer, wrapOwn(seated, false, slim.inner));
  return {slim.before, slim.outer, {}};
}

} // namespace polymend
