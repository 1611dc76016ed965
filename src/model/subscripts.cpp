#include "polymend/subscripts.h"

#include <isl/map.h>

namespace polymend {

isl::map lastSubscript(const isl::map &access) {
  return isl::manage(isl_map_project_out(access.copy(), isl_dim_out, 0, rangeDimension(access) - 1));
}

bool runsAlongMemory(const isl::map &access, unsigned dim) {
  const unsigned subscripts = rangeDimension(access);
  if (subscripts == 0 || !movesAlong(access, dim, 1)) return true;
  return !movesAlong(isl::manage(isl_map_project_out(access.copy(), isl_dim_out, subscripts - 1, 1)), dim, 1);
}

} // namespace polymend
