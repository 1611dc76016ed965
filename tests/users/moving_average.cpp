// Simple moving averages, windows of a length known at run time; nothing where the series is too short.
#include <vector>

void moving_average(const std::vector<double> &x, std::vector<double> &out, int window) {
  const int n = static_cast<int>(x.size());
  if (window <= 0 || n < window) return;
  for (int i = 0; i + window <= n; ++i) {
    double sum = 0.0;
    for (int j = i; j < i + window; ++j) sum += x[j];
    out[i] = sum / window;
  }
}
