// { Array[x] } -> expressions over sizes. The least and the greatest element come from isl, piece by piece; extents are
// compared as sets of sizes, not as they are written.
#include "exact_ends.h"

#include "touched_box.h"

#include "polymend/affine.h"
#include "polymend/points.h"
#include "tile/frame.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

namespace polymend {
namespace {

/// The least or greatest index of each dimension together, as one point.
isl::set cornerOf(const isl::set &touched, bool least) {
  const unsigned dims = dimension(touched);
  isl::set corner =
      isl::manage(isl_set_universe(isl_space_reset_tuple_id(isl_set_get_space(touched.get()), isl_dim_set)));
  for (unsigned d = 0; d < dims; ++d) {
    isl_set *line = onlyDimension(touched, d).release();
    line = least ? isl_set_lexmin(line) : isl_set_lexmax(line);
    corner = corner.intersect(
        isl::manage(isl_set_add_dims(isl_set_insert_dims(line, isl_dim_set, 0, d), isl_dim_set, dims - d - 1)));
  }
  return corner;
}

/// Does the box around what is touched begin and end with touched elements?
bool isTight(const isl::set &touched) {
  const isl::set plain = isl::manage(isl_set_reset_tuple_id(touched.copy()));
  return cornerOf(plain, true).is_subset(plain) && cornerOf(plain, false).is_subset(plain);
}

/// Does every index but the first stay within its dimension, where that is a number? Then elements lie in memory as
/// their indices do.
bool staysInRows(const isl::set &touched, const std::vector<Expr> &extents) {
  for (unsigned d = 1; d < extents.size(); ++d) {
    const isl::set line = onlyDimension(touched, d);
    const bool below = !isl::manage(isl_set_upper_bound_si(line.copy(), isl_dim_set, 0, -1)).is_empty();
    const bool isNumber = extents[d] && extents[d].op() == Op::Integer;
    if (below || (isNumber && !isl::manage(isl_set_lower_bound_val(
                                               line.copy(), isl_dim_set, 0,
                                               isl_val_int_from_si(isl_set_get_ctx(line.get()), extents[d]->integer)))
                                   .is_empty()))
      return false;
  }
  return true;
}

/// An element for some sizes.
struct Ending {
  isl::set sizes;
  Expr position;
};

/// The first or last element in memory, by sizes; empty: nobody knows where it lies.
std::vector<Ending> endingsOf(isl_set *points, const std::vector<Expr> &extents) {
  std::vector<Ending> endings;
  for (const isl::basic_set &one : parts(isl::manage(points))) {
    const auto point = toExprs(isl::manage(isl_map_from_range(isl_set_from_basic_set(one.copy()))), {});
    const Expr position = point ? positionOf(*point, extents) : Expr();
    if (!position) return {};
    endings.push_back({isl::set(one).params(), position});
  }
  return endings;
}

/// Elements by how far they lie from the first; absent: an inner extent is no number.
std::optional<isl::set> positionsOf(const isl::set &touched, const std::vector<Expr> &extents) {
  isl_aff *position = isl_aff_zero_on_domain(isl_local_space_from_space(isl_set_get_space(touched.get())));
  std::int64_t stride = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    position = isl_aff_add_coefficient_val(position, isl_dim_in, static_cast<int>(d),
                                           isl_val_int_from_si(isl_set_get_ctx(touched.get()), stride));
    if (d == 0) break;
    if (!extents[d] || extents[d].op() != Op::Integer) {
      isl_aff_free(position);
      return std::nullopt;
    }
    stride *= extents[d]->integer;
  }
  return isl::manage(isl_set_apply(touched.copy(), isl_map_from_aff(position)));
}

/// An extent over sizes that are wide enough for isl.
Expr widened(const Expr &extent) {
  return simplify(substitute(extent, [](const std::string &size) { return Expr::symbol(size, Type::Int64); }));
}

/// Where `condition`, over sizes, holds; all sizes where it is not affine.
isl::set sizesWhere(const Expr &condition, const isl::set &touched) {
  const isl::set line = onlyDimension(touched, 0);
  const isl::set any = isl::manage(isl_set_universe(isl_set_get_space(line.get())));
  const auto points = pointsWhere(condition, any, {"x"});
  return points ? points->params() : any.params();
}

/// Does the greatest index of a dimension lie just before the extent, wherever that is positive?
bool endsWith(const isl::set &line, const Expr &extent) {
  const isl::set greatest = isl::manage(isl_set_reset_tuple_id(line.lexmax().release()));
  const isl::set any = isl::manage(isl_set_universe(isl_set_get_space(greatest.get())));
  const Expr next = Expr::symbol("x", Type::Int64) + Expr::integer(1);
  const auto last = pointsWhere(Expr::make(Op::Eq, {next, extent}), any, {"x"});
  const auto some = pointsWhere(Expr::make(Op::Lt, {Expr::integer(0), extent}), any, {"x"});
  const auto plain = [](const isl::set &points) { return isl::manage(isl_set_reset_tuple_id(points.copy())); };
  return last && some && greatest.intersect(plain(*some)).is_subset(plain(*last));
}

} // namespace

std::string dimensionName(unsigned d) { return "[" + std::to_string(d) + "]"; }

bool isExact(const isl::set &touched) {
  for (unsigned d = 0; d < dimension(touched); ++d) {
    const isl::set line = onlyDimension(touched, d);
    if (!hullEndsWithin(line) && !(line.involves_locals() && endsAreKnown(line))) return false;
  }
  return isTight(touched);
}

std::vector<TouchedPart> exactParts(const isl::set &touched, const std::vector<Expr> &extents) {
  constexpr std::size_t most = 6;
  if (!staysInRows(touched, extents)) {
    const auto positions = extents.size() > 1 ? positionsOf(touched, extents) : std::nullopt;
    return positions ? exactParts(*positions, {Expr()}) : std::vector<TouchedPart>();
  }
  const isl::set plain = isl::manage(isl_set_reset_tuple_id(touched.copy()));
  std::vector<TouchedPart> all;
  const std::vector<Ending> last = endingsOf(isl_set_lexmax(plain.copy()), extents);
  for (const Ending &from : endingsOf(isl_set_lexmin(plain.copy()), extents))
    for (const Ending &to : last) {
      const isl::set sizes = from.sizes.intersect(to.sizes);
      if (sizes.is_empty()) continue;
      const std::string name = dimensionName(0);
      const Expr limit = simplify(to.position + Expr::integer(1));
      all.push_back({conditionOf(sizes),
                     {{name, from.position, limit, PointDim::Kind::Parallel}},
                     Expr::symbol(name, Type::Int64)});
    }
  return all.size() > most ? std::vector<TouchedPart>() : all;
}

std::vector<TouchedPart> withExactEnds(const TouchedPart &part, const isl::set &iterations,
                                       const std::vector<std::string> &iterators) {
  std::vector<TouchedPart> all{part};
  for (std::size_t k = 0; k < part.dims.size(); ++k) {
    const PointDim &dim = part.dims[k];
    const auto i = std::find(iterators.begin(), iterators.end(), dim.variable) - iterators.begin();
    if (reads(dim.first) || reads(dim.limit)) continue;
    const isl::set line = onlyDimension(iterations, static_cast<unsigned>(i));
    const std::vector<TouchedPart> ends = isExact(line) ? std::vector<TouchedPart>() : exactParts(line, {Expr()});
    if (ends.empty()) continue;
    std::vector<TouchedPart> further;
    for (const TouchedPart &one : all)
      for (const TouchedPart &end : ends) {
        TouchedPart both = one;
        both.dims[k].first = end.dims.front().first;
        both.dims[k].limit = end.dims.front().limit;
        both.where = !one.where ? end.where : !end.where ? one.where : Expr::make(Op::And, {one.where, end.where});
        further.push_back(both);
      }
    all = further;
  }
  return all;
}

Expr whereTouched(const isl::set &touched, const TileArray &argument) {
  isl::set sizes = touched.params();
  for (std::size_t d = 0; d < argument.extents.size(); ++d)
    sizes = sizes.gist(sizesWhere(Expr::make(Op::Lt, {Expr::integer(0), widened(usedExtent(argument, d))}), touched));
  sizes = sizes.coalesce();
  return isl_set_plain_is_universe(sizes.get()) == isl_bool_true ? Expr() : simplify(toCondition(sizes, {}));
}

namespace {

/// The elements for sizes for which an inner extent leaves the array none.
isl::set withoutExtent(const isl::set &touched, const std::vector<Expr> &extents) {
  isl::set all = touched.subtract(touched);
  for (unsigned d = 1; d < extents.size(); ++d) {
    if (!extents[d] || extents[d].op() != Op::Symbol) continue;
    const int at = isl_set_find_dim_by_name(touched.get(), isl_dim_param, extents[d]->name.c_str());
    if (at < 0) continue;
    all = all.unite(isl::manage(isl_set_upper_bound_si(touched.copy(), isl_dim_param, static_cast<unsigned>(at), 0)));
  }
  return all;
}

/// Do some elements lie beyond the first of a row?
bool reachBeyondFirst(const isl::set &elements, std::size_t dimensions) {
  for (unsigned d = 1; d < dimensions; ++d)
    if (!isl::manage(isl_set_lower_bound_si(elements.copy(), isl_dim_set, d, 1)).is_empty()) return true;
  return false;
}

} // namespace

bool reachesBeyondNone(const isl::set &touched, const std::vector<Expr> &extents) {
  return reachBeyondFirst(withoutExtent(touched, extents), extents.size());
}

Expr whereFirst(const isl::set &touched, const std::vector<Expr> &extents) {
  const isl::set all = withoutExtent(touched, extents);
  if (all.is_empty() || reachBeyondFirst(all, extents.size())) return {};
  return simplify(toCondition(all.params().coalesce(), {}));
}

bool isWhole(const isl::set &touched, std::size_t dimensions, const std::vector<Expr> &told) {
  for (unsigned d = 0; d < dimensions; ++d) {
    const isl::set line = onlyDimension(touched, d);
    const auto [first, limit] = boundsOfLine(line);
    const Expr around = boundsOf(line, "x").second;
    if (!first || first.op() != Op::Integer || first->integer != 0) return false;
    if (limit && around && !equal(limit, around)) return false;
    const bool ends =
        d >= told.size() || !told[d] || (limit && equal(simplify(limit), told[d])) || endsWith(line, told[d]);
    if (!ends) return false;
    if (!endsAreKnown(line)) return false;
  }
  return isTight(touched);
}

std::vector<Expr> extentsTold(const std::vector<Expr> &extents, const TileArray &argument) {
  std::vector<Expr> told = argument.extents;
  const bool endsInRow = argument.flat && argument.used.empty();
  for (std::size_t d = 0; d < told.size(); ++d) {
    if (d == 0 ? !extents.empty() && extents.front() : !endsInRow) told[d] = {};
    if (told[d]) told[d] = widened(told[d]);
  }
  return told;
}

} // namespace polymend
