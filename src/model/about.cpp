// { [x] : c(x, n) and d(n) } -> { [x] : c(x, n) }, unless a bound of x is written down in d.
#include "polymend/about.h"

#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/val.h>

namespace polymend {

isl::set aboutDimensions(const isl::set &set) {
  const isl::set about =
      isl::manage(isl_set_drop_constraints_not_involving_dims(set.copy(), isl_dim_set, 0, dimension(set)));
  const bool loses = set.involves_locals() && !about.intersect_params(set.params()).is_subset(set);
  return loses ? set : about;
}

isl::val greatest(const isl::set &set, unsigned parameter) {
  isl_local_space *space = isl_local_space_from_space(isl_space_params(isl_set_get_space(set.get())));
  isl_aff *value = isl_aff_var_on_domain(space, isl_dim_param, parameter);
  const isl::val most = isl::manage(isl_set_max_val(set.params().get(), value));
  isl_aff_free(value);
  return most;
}

} // namespace polymend
