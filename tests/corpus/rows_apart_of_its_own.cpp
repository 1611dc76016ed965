// A vector of vectors that the function makes, and one that an object has as a member.
// expect: corrected 0
#include <vector>

struct WideLayer {
  std::vector<std::vector<double>> weights;
  std::vector<double> bias;
};

double rows_apart_of_its_own(const WideLayer &layer, const std::vector<std::vector<double>> &x) {
  const std::size_t n = x.size(), m = layer.weights.size();
  std::vector<std::vector<double>> y(n, std::vector<double>(m, 0.0));
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t o = 0; o < m; o++) {
      double sum = layer.bias[o];
      for (std::size_t k = 0; k < x[i].size(); k++) sum += layer.weights[o][k] * x[i][k];
      y[i][o] = sum > 0 ? sum : 0;
    }
  double all = 0;
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t o = 0; o < m; o++) all += y[i][o] * y[n - 1 - i][o];
  return all;
}
