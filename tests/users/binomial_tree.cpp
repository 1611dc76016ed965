// An American put on a binomial tree, in place from the leaves.
// left: nothing gained
#include <algorithm>
#include <cmath>
#include <vector>

double binomial_tree(double s, double k, double r, double sigma, double t, int n) {
  const double dt = t / n, u = std::exp(sigma * std::sqrt(dt)), d = 1 / u;
  const double p = (std::exp(r * dt) - d) / (u - d), df = std::exp(-r * dt);
  std::vector<double> v(n + 1);
  for (int i = 0; i <= n; i++) v[i] = std::max(k - s * std::pow(u, 2.0 * i - n), 0.0);
  for (int step = n - 1; step >= 0; step--)
    for (int i = 0; i <= step; i++) {
      const double hold = df * (p * v[i + 1] + (1 - p) * v[i]);
      const double exercise = k - s * std::pow(u, 2.0 * i - step);
      v[i] = std::max(hold, exercise);
    }
  return v[0];
}
