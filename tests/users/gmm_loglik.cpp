// The log-likelihood of a mixture of diagonal Gaussians.
#include <algorithm>
#include <cmath>
#include <vector>

double gmm_loglik(const std::vector<double> &x, const std::vector<double> &mu, const std::vector<double> &var,
                  const std::vector<double> &logw, int dim) {
  const int n = x.size() / dim, k = logw.size();
  double total = 0;
  std::vector<double> lp(k);
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < k; ++c) {
      double q = logw[c];
      for (int d = 0; d < dim; ++d) {
        const double z = x[i * dim + d] - mu[c * dim + d];
        q -= 0.5 * (z * z / var[c * dim + d] + std::log(2 * M_PI * var[c * dim + d]));
      }
      lp[c] = q;
    }
    const double top = *std::max_element(lp.begin(), lp.end());
    double s = 0;
    for (int c = 0; c < k; ++c) s += std::exp(lp[c] - top);
    total += top + std::log(s);
  }
  return total;
}
