// { [x] } -> [first, limit) of each dimension, over the sizes.
#include "touched_box.h"

#include "polymend/affine.h"
#include "tile/frame.h"

#include <isl/map.h>
#include <isl/set.h>

namespace polymend {
namespace {

/// The point of a set of one for all sizes; absent: it is another one where sizes are others.
Expr pointOf(isl_set *only) {
  const auto pieces = parts(isl::manage(only));
  if (pieces.size() != 1) return {};
  const auto values = toExprs(isl::manage(isl_map_from_range(isl_set_from_basic_set(pieces.front().copy()))), {});
  bool chosen = !values || values->size() != 1;
  if (!chosen) visit(values->front(), [&](const Expr &e) { chosen = chosen || e.op() == Op::Select; });
  return chosen ? Expr() : simplify(values->front());
}

} // namespace

Expr conditionOf(const isl::set &set) {
  const isl::set sizes = set.params().coalesce();
  const isl::set all = isl::manage(isl_set_universe(isl_set_get_space(sizes.get())));
  return sizes.is_equal(all) ? Expr() : simplify(toCondition(sizes, {}));
}

std::pair<Expr, Expr> boundsOfLine(const isl::set &line) {
  auto around = boundsOf(line, "x");
  if (!around.first || !around.second || !line.involves_locals()) return around;
  const Expr least = pointOf(isl_set_lexmin(line.copy())), greatest = pointOf(isl_set_lexmax(line.copy()));
  return {least ? least : around.first, greatest ? simplify(greatest + Expr::integer(1)) : around.second};
}

bool isReached(const isl::set &end, const isl::set &line) {
  return end.intersect_params(line.params()).is_subset(line);
}

bool hullEndsWithin(const isl::set &line) {
  if (!line.involves_locals() && isl_set_n_basic_set(line.get()) < 2) return true;
  const isl::set hull(isl::manage(isl_set_simple_hull(isl_set_remove_divs(line.copy()))));
  return isl_set_dim_is_bounded(hull.get(), isl_dim_set, 0) == isl_bool_true && isReached(hull.lexmin(), line) &&
         isReached(hull.lexmax(), line);
}

bool endsAreKnown(const isl::set &line) {
  if (!line.involves_locals()) return true;
  if (pointOf(isl_set_lexmin(line.copy())) && pointOf(isl_set_lexmax(line.copy()))) return true;
  return hullEndsWithin(line);
}

bool isBox(const isl::set &points) {
  isl::set box = isl::manage(isl_set_universe(isl_set_get_space(points.get())));
  const unsigned dims = dimension(points);
  for (unsigned d = 0; d < dims; ++d) {
    const isl::set line = onlyDimension(points, d);
    if (!endsAreKnown(line)) return false;
    box = box.intersect(
        isl::manage(isl_set_add_dims(isl_set_insert_dims(line.copy(), isl_dim_set, 0, d), isl_dim_set, dims - d - 1)));
  }
  return box.is_subset(points);
}

std::optional<PointDim> boxOf(const isl::set &set, unsigned d, const std::string &name) {
  const auto [first, limit] = boundsOfLine(onlyDimension(set, d));
  if (!first || !limit) return std::nullopt;
  return PointDim{name, first, limit, PointDim::Kind::Parallel};
}

Expr positionOf(const std::vector<Expr> &subscripts, const std::vector<Expr> &extents) {
  if (subscripts.size() != extents.size()) return {};
  Expr position = Expr::integer(0);
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    if (d > 0 && !extents[d]) return {};
    position = d == 0 ? subscripts[d] : position * extents[d] + subscripts[d];
  }
  return simplify(position);
}

} // namespace polymend
