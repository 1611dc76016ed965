// One touch -> its access relation { [iterators] -> array[subscripts] }. A subscript that is not affine may take every
// value within its dimension: the relation then is a superset, which is sound for a read and refused for a write.
#include "touch.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

namespace polymend {

namespace {

isl::map toRange(const isl::pw_aff &value) { return isl::manage(isl_map_from_pw_aff(value.copy())); }

isl::map product(const isl::map &a, const isl::map &b) {
  return isl::manage(isl_map_flat_range_product(a.copy(), b.copy()));
}

/// { [iterators] -> [] } everywhere.
isl::map toNothing(const Frame &frame) {
  const isl::set all = isl::set::universe(frame.domain.space());
  isl_space *point = isl_space_set_from_params(isl_space_params(isl_set_get_space(frame.domain.get())));
  return isl::manage(isl_map_from_domain_and_range(all.copy(), isl_set_universe(point)));
}

/// { [iterators] -> [x] : x < below }.
isl::map toBelow(const Touch &touch) {
  const Result<isl::pw_aff> limit = affine(touch.below, touch.frame);
  const isl::map to = toRange(*limit);
  return isl::manage(isl_map_apply_range(to.copy(), isl_map_lex_gt(isl_space_range(isl_map_get_space(to.get())))));
}

/// { [iterators] -> [x] : 0 <= x < extent }, as far as the extent is known and affine; a flat array's first dimension
/// is unbounded.
isl::map toAnywhere(const Touch &touch, const Array &array, std::size_t dimension) {
  const Frame &frame = touch.frame;
  const isl::map one = toRange(
      isl::manage(isl_pw_aff_zero_on_domain(isl_local_space_from_space(isl_set_get_space(frame.domain.get())))));
  const isl::map all = isl::map::universe(one.space());
  if (array.flat && dimension == 0) return all;
  isl::map bounded = isl::manage(isl_map_lower_bound_si(all.copy(), isl_dim_out, 0, 0));
  const Expr &extent = array.extents[dimension];
  const Result<isl::pw_aff> limit = extent ? affine(extent, frame) : Refusal{};
  if (!limit) return bounded;
  const isl::map below = isl::manage(
      isl_map_apply_range(toRange(*limit).release(), isl_map_lex_gt(isl_space_range(isl_map_get_space(one.get())))));
  return bounded.intersect(below);
}

/// The relation where the array has elements, as far as its extents are known. Of the function's own arrays a program
/// reaches nothing beyond their ends.
isl::map withinEnds(const isl::map &relation, const Touch &touch, const Array &array) {
  if (array.storage != Array::Storage::Local || array.extents.empty()) return relation;
  isl::map ends = toNothing(touch.frame);
  for (std::size_t d = 0; d < array.extents.size(); ++d) ends = product(ends, toAnywhere(touch, array, d));
  return relation.intersect(setRangeTuple(ends, touch.array)).coalesce();
}

} // namespace

Result<Access> accessOf(const Touch &touch, const Array &array) {
  if (touch.subscripts.size() != array.extents.size())
    return Refusal{"'" + touch.array + "' is used as a whole, not element by element", touch.where};
  isl::map relation = toNothing(touch.frame);
  bool exact = true;
  for (std::size_t d = 0; d < touch.subscripts.size(); ++d) {
    const Result<isl::pw_aff> value = affine(touch.subscripts[d], touch.frame);
    const bool known = value.ok() && d >= touch.open;
    if (!known && touch.write && !reads(touch.subscripts[d])) return *unplaced(touch);
    exact = exact && known;
    isl::map there = known ? toRange(*value) : toAnywhere(touch, array, d);
    if (!known && d == 0 && touch.below && affine(touch.below, touch.frame)) there = there.intersect(toBelow(touch));
    relation = product(relation, there);
  }
  relation = setRangeTuple(relation, touch.array).intersect_domain(touch.frame.domain).coalesce();
  return Access{touch.array, relation, exact, touch.where, withinEnds(relation, touch, array)};
}

std::optional<Refusal> unplaced(const Touch &touch) {
  for (std::size_t d = 0; d < touch.subscripts.size(); ++d) {
    const Result<isl::pw_aff> value = affine(touch.subscripts[d], touch.frame);
    const std::string why = value ? "'" + show(touch.subscripts[d]) + "' may leave its row" : value.refusal().reason;
    if (!value || d < touch.open)
      return Refusal{"where '" + touch.array + "' is written cannot be told: " + why, touch.where};
  }
  return std::nullopt;
}

} // namespace polymend
