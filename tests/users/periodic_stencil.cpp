// One step of diffusion on a ring, neighbours wrapped by comparisons.
#include <vector>

void periodic_stencil(std::vector<double> &next, const std::vector<double> &u, double alpha) {
  const int n = static_cast<int>(u.size());
  for (int i = 0; i < n; ++i) {
    int left = i - 1, right = i + 1;
    if (left < 0) left = n - 1;
    if (right == n) right = 0;
    next[i] = u[i] + alpha * (u[left] - 2 * u[i] + u[right]);
  }
}
