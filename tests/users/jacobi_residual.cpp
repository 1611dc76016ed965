// Jacobi until the change is small, with a do-while loop around it.
// left on cuda: operator '++' within an expression
#include <cmath>
#include <vector>

int jacobi_residual(std::vector<double> &u, const std::vector<double> &f, int n, double tol, int max_iter) {
  std::vector<double> v(u);
  double diff;
  int iter = 0;
  do {
    diff = 0;
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        v[i * n + j] =
            0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - f[i * n + j]);
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j) {
        diff = std::max(diff, std::fabs(v[i * n + j] - u[i * n + j]));
        u[i * n + j] = v[i * n + j];
      }
  } while (diff > tol && ++iter < max_iter);
  return iter;
}
