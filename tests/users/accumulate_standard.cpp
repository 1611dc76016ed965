// Mean and deviation by the standard's algorithms.
#include <cmath>
#include <numeric>
#include <vector>

void accumulate_standard(const std::vector<double> &x, double &mean, double &sd) {
  mean = std::accumulate(x.begin(), x.end(), 0.0) / x.size();
  const double m = mean;
  const double sq = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
  sd = std::sqrt(sq / x.size() - m * m);
}
