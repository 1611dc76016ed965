// { [x] : c(x, n) and d(n) } -> { [x] : c(x, n) }, unless a bound of x is written down in d.
#include "polymend/about.h"

#include <isl/set.h>

namespace polymend {

isl::set aboutDimensions(const isl::set &set) {
  const isl::set about =
      isl::manage(isl_set_drop_constraints_not_involving_dims(set.copy(), isl_dim_set, 0, dimension(set)));
  const bool loses = set.involves_locals() && !about.intersect_params(set.params()).is_subset(set);
  return loses ? set : about;
}

} // namespace polymend
