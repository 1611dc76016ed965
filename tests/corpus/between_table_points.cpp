// Values between the points of a table, found by the standard's search in a sorted range.
// expect: kept
#include <algorithm>
#include <vector>

void between_table_points(const std::vector<double> &at, const std::vector<double> &rate, const std::vector<double> &x,
                          std::vector<double> &y) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double v = x[k];
    if (at.size() < 2 || v <= at.front() || v >= at.back()) {
      y[k] = 0;
      continue;
    }
    const auto found = std::upper_bound(at.begin(), at.end(), v);
    const auto i = found - at.begin();
    if (i < 1 || i >= static_cast<long>(at.size())) {
      y[k] = 1;
      continue;
    }
    const double w = (v - at[i - 1]) / (at[i] - at[i - 1]);
    y[k] = (1 - w) * rate[i - 1] + w * rate[i];
  }
}
