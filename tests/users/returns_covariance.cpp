// The covariance of assets' returns from a matrix of prices, all as vectors of vectors.
#include <cmath>
#include <vector>

void returns_covariance(const std::vector<std::vector<double>> &prices, std::vector<std::vector<double>> &cov) {
  const size_t assets = prices.size(), days = prices[0].size();
  std::vector<std::vector<double>> ret(assets, std::vector<double>(days - 1));
  std::vector<double> mean(assets, 0.0);
  for (size_t a = 0; a < assets; ++a) {
    for (size_t t = 1; t < days; ++t) {
      ret[a][t - 1] = std::log(prices[a][t] / prices[a][t - 1]);
      mean[a] += ret[a][t - 1];
    }
    mean[a] /= days - 1;
  }
  for (size_t a = 0; a < assets; ++a)
    for (size_t b = 0; b < assets; ++b) {
      double s = 0;
      for (size_t t = 0; t < days - 1; ++t) s += (ret[a][t] - mean[a]) * (ret[b][t] - mean[b]);
      cov[a][b] = s / (days - 2);
    }
}
