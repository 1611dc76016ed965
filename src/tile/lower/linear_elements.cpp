// A linear function over a polyhedron is least and greatest at corners, whatever its factors: where the corners are
// iterations, they are the ends of what is touched. Corners and the sizes for which each is one come from isl.
#include "linear_elements.h"

#include "touched_box.h"

#include "polymend/affine.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/vertices.h>

#include <algorithm>

namespace polymend {
namespace {

/// sum over d of factors[d] * iterators[d], and the rest; absent factors are 0.
struct LinearPosition {
  std::vector<Expr> factors;
  Expr rest;
  bool repeats = false; // an iterator occurred twice

  void add(Expr &sum, const Expr &term, const Expr &factor) const {
    const Expr product = factor ? factor * term : term;
    sum = sum ? sum + product : product;
  }
};

bool widens(const Expr &cast) { return cast.type() == Type::Int64 && isInteger(cast.arg(0).type()); }

/// Adds factor * e; false: e is not linear.
bool addLinear(LinearPosition &sum, const Expr &e, const Expr &factor, const std::vector<std::string> &iterators) {
  if (reachesNone(e, iterators)) return sum.add(sum.rest, e, factor), true;
  switch (e.op()) {
  case Op::Symbol: {
    const auto d = static_cast<std::size_t>(std::find(iterators.begin(), iterators.end(), e->name) - iterators.begin());
    sum.repeats = sum.repeats || sum.factors[d];
    return sum.add(sum.factors[d], Expr::integer(1), factor), true;
  }
  case Op::Cast: return widens(e) && addLinear(sum, e.arg(0), factor, iterators);
  case Op::Neg: return addLinear(sum, e.arg(0), factor ? Expr::integer(-1) * factor : Expr::integer(-1), iterators);
  case Op::Add: return addLinear(sum, e.arg(0), factor, iterators) && addLinear(sum, e.arg(1), factor, iterators);
  case Op::Sub: {
    const Expr minus = factor ? Expr::integer(-1) * factor : Expr::integer(-1);
    return addLinear(sum, e.arg(0), factor, iterators) && addLinear(sum, e.arg(1), minus, iterators);
  }
  case Op::Mul:
    for (const std::size_t i : {0U, 1U})
      if (reachesNone(e.arg(1 - i), iterators))
        return addLinear(sum, e.arg(i), factor ? factor * e.arg(1 - i) : e.arg(1 - i), iterators);
    return false;
  default: return false;
  }
}

std::optional<LinearPosition> linear(const Expr &position, const std::vector<std::string> &iterators) {
  LinearPosition result;
  result.factors.resize(iterators.size());
  if (reads(position) || !addLinear(result, position, {}, iterators)) return std::nullopt;
  return result;
}

Expr sumOf(const LinearPosition &position, const std::vector<std::string> &iterators) {
  Expr sum = position.rest;
  for (std::size_t d = 0; d < iterators.size(); ++d)
    if (position.factors[d]) position.add(sum, Expr::symbol(iterators[d], Type::Int64), simplify(position.factors[d]));
  return sum ? simplify(sum) : Expr::integer(0);
}

std::vector<TouchedPart> overBox(const Expr &element, const std::vector<std::string> &iterators,
                                 const isl::set &points) {
  TouchedPart part{conditionOf(points), {}, element};
  const std::set<std::string> used = symbols(element);
  for (unsigned d = 0; d < iterators.size(); ++d) {
    if (!used.contains(iterators[d])) continue;
    const auto box = boxOf(points, d, iterators[d]);
    if (!box) return {};
    part.dims.push_back(*box);
  }
  return {part};
}

/// The corners of one convex set, each with the sizes for which it is one.
struct Corners {
  const Expr &element;
  const std::vector<std::string> &iterators;
  std::vector<TouchedPart> parts;
  bool whole = true; // every corner is an iteration
};

bool isWholeNumber(isl_aff *aff) {
  const isl::val denominator = isl::manage(isl_aff_get_denominator_val(aff));
  const bool whole = denominator.is_one() && isl_aff_dim(aff, isl_dim_div) == 0;
  isl_aff_free(aff);
  return whole;
}

isl_stat addCorner(isl_vertex *vertex, void *to) {
  auto &corners = *static_cast<Corners *>(to);
  isl_multi_aff *point = isl_vertex_get_expr(vertex);
  const isl::set sizes = isl::manage(isl_set_from_basic_set(isl_vertex_get_domain(vertex)));
  isl_vertex_free(vertex);
  const auto dims = static_cast<unsigned>(corners.iterators.size());
  for (unsigned d = 0; d < dims; ++d)
    corners.whole = corners.whole && isWholeNumber(isl_multi_aff_get_aff(point, static_cast<int>(d)));
  const auto at = toExprs(isl::manage(isl_map_from_range(isl_set_from_multi_aff(point))), {});
  corners.whole = corners.whole && at && at->size() == dims;
  if (!corners.whole) return isl_stat_ok;
  const Expr element = substitute(corners.element, [&](const std::string &name) {
    const auto d = std::find(corners.iterators.begin(), corners.iterators.end(), name) - corners.iterators.begin();
    return d < dims ? (*at)[static_cast<std::size_t>(d)] : Expr();
  });
  corners.parts.push_back({conditionOf(sizes), {}, simplify(element)});
  return isl_stat_ok;
}

std::vector<TouchedPart> atCorners(const Expr &element, const std::vector<std::string> &iterators,
                                   const isl::basic_set &points) {
  if (isl::set(points).involves_locals()) return {};
  Corners corners{element, iterators, {}};
  isl_vertices *vertices = isl_basic_set_compute_vertices(points.get());
  const bool told = isl_vertices_foreach_vertex(vertices, addCorner, &corners) == isl_stat_ok;
  isl_vertices_free(vertices);
  return told && corners.whole ? corners.parts : std::vector<TouchedPart>();
}

} // namespace

bool reachesNone(const Expr &e, const std::vector<std::string> &iterators) {
  const std::set<std::string> used = symbols(e);
  return std::none_of(iterators.begin(), iterators.end(), [&](const std::string &i) { return used.contains(i); });
}

Expr collected(const Expr &position, const std::vector<std::string> &iterators) {
  const auto found = linear(position, iterators);
  return found && found->repeats ? sumOf(*found, iterators) : position;
}

std::vector<TouchedPart> partsOfLinear(const Expr &position, const std::vector<std::string> &iterators,
                                       const isl::set &iterations) {
  const auto found = linear(position, iterators);
  if (!found) return {};
  const Expr element = sumOf(*found, iterators);
  const isl::set points = isl::manage(isl_set_reset_tuple_id(iterations.copy()));
  if (isBox(points)) return overBox(element, iterators, points);
  std::vector<TouchedPart> all;
  for (const isl::basic_set &one : parts(points)) {
    const std::vector<TouchedPart> corners = atCorners(element, iterators, one);
    if (corners.empty()) return {};
    all.insert(all.end(), corners.begin(), corners.end());
  }
  return all;
}

} // namespace polymend
