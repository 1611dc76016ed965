// Chances of states, in rows that lie apart, each step from the one before and divided by its sum.
// expect: moved
#include <cmath>
#include <vector>

double chances_by_steps(const std::vector<double> &start, const std::vector<std::vector<double>> &change,
                        const std::vector<std::vector<double>> &seen, std::vector<std::vector<double>> &chance) {
  const int n = static_cast<int>(start.size()), steps = static_cast<int>(chance.size());
  double likelihood = 0;
  for (int t = 0; t < steps; ++t) {
    double norm = 0;
    for (int j = 0; j < n; ++j) {
      double s = 0;
      if (t == 0)
        s = start[j];
      else
        for (int i = 0; i < n; ++i) s += chance[t - 1][i] * change[i][j];
      chance[t][j] = s * seen[t][j];
      norm += chance[t][j];
    }
    for (int j = 0; j < n; ++j) chance[t][j] /= norm;
    likelihood += std::log(norm);
  }
  return likelihood;
}
