// What a helper with early returns, some from within its loop, keeps in an optional of a pair, as slab tests do.
// expect: kept; left: a return before the end of the
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

struct Slab {
  double low[3], high[3];
};
static std::optional<std::pair<double, double>> crossing(const Slab &box, const double (&from)[3],
                                                         const double (&along)[3]) {
  double enter = 0.0, leave = 100.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::fabs(along[axis]) < 0.25) {
      if (from[axis] < box.low[axis] || from[axis] > box.high[axis]) return std::nullopt;
      continue;
    }
    double a = (box.low[axis] - from[axis]) / along[axis], b = (box.high[axis] - from[axis]) / along[axis];
    if (a > b) std::swap(a, b);
    enter = std::max(enter, a);
    leave = std::min(leave, b);
  }
  if (enter >= leave) return std::nullopt;
  return std::make_pair(enter, leave);
}
void spans_kept_in_optionals(int n, const double (*from)[3], const double (*along)[3], double *length, double *middle) {
  const Slab box{{-1.0, -0.5, -2.0}, {1.0, 0.5, 2.0}};
  for (int i = 0; i < n; i++) {
    const double origin[3] = {from[i][0], from[i][1], from[i][2]};
    const double ray[3] = {along[i][0], along[i][1], along[i][2]};
    const auto span = crossing(box, origin, ray);
    if (!span) {
      length[i] = -1.0;
      middle[i] = 0.0;
      continue;
    }
    const auto [enter, leave] = *span;
    length[i] = leave - enter;
    middle[i] = 0.5 * (span->first + span->second);
  }
}
