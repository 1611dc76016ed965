// The greatest fall from a peak, of each path.
#include <algorithm>
#include <vector>

void max_drawdown(const std::vector<double> &values, std::vector<double> &drawdown, int paths, int steps) {
  for (int p = 0; p < paths; p++) {
    double peak = values[p * steps], worst = 0.0;
    for (int t = 0; t < steps; t++) {
      const double v = values[p * steps + t];
      if (v > peak) peak = v;
      worst = std::max(worst, (peak - v) / peak);
    }
    drawdown[p] = worst;
  }
}
