// { [before] -> [x] } gives, for each pair of values that one point before sees, their difference: the largest is the
// window less one.
#include "polymend/window.h"

#include <isl/map.h>
#include <isl/set.h>

namespace polymend {
namespace {

/// { [d0, ..., d(dim - 1)] -> [d(dim)] } over the points of the set.
isl::map toDimension(const isl::set &set, unsigned dim) {
  const isl::set plain = isl::manage(isl_set_reset_tuple_id(set.copy()));
  const isl::set until = projectOut(plain, dim + 1, dimension(plain) - dim - 1);
  return isl::manage(isl_map_move_dims(isl_map_from_domain(until.copy()), isl_dim_out, 0, isl_dim_in, dim, 1));
}

} // namespace

std::optional<std::int64_t> constantWindow(const isl::set &set, unsigned dim) {
  const isl::map values = toDimension(set, dim);
  const isl::map pairs = values.reverse().apply_range(values);
  return constantExtent(isl::manage(isl_map_deltas(pairs.copy())), 0);
}

} // namespace polymend
