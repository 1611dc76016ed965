// A helper keeps a lattice of its own for each entry of a list: no entry waits for another one.
// expect: kept; left: nothing gained
#include <algorithm>
#include <vector>

static double rolled_back(double first, double up, int steps) {
  std::vector<double> v(steps + 1);
  for (int i = 0; i <= steps; i++) v[i] = std::max(first + up * (2.0 * i - steps), 0.0);
  for (int step = steps - 1; step >= 0; step--)
    for (int i = 0; i <= step; i++) v[i] = 0.25 * (2.0 * v[i + 1] + v[i]) + 0.125 * (first + up * i);
  return v[0];
}

void lattices_of_a_helper(const double *first, const double *up, int count, int steps, double *value) {
  for (int c = 0; c < count; c++) value[c] = rolled_back(first[c], up[c], steps);
}
