// Both arms of a condition on data store to the same elements and add to the same total.
// expect: corrected 0
#include <algorithm>
#include <cmath>

double both_arms_gather(int n, const double *spot, const double *strike, const double *years, double *price,
                        double *delta) {
  double total = 0.0;
  for (int i = 0; i < n; i++) {
    if (years[i] <= 0.0) {
      price[i] = std::max(spot[i] - strike[i], 0.0);
      delta[i] = spot[i] > strike[i] ? 1.0 : 0.0;
      total += price[i];
      continue;
    }
    const double width = 0.2 * std::sqrt(years[i]);
    const double d = std::log(std::abs(spot[i] / strike[i]) + 1.0) / width;
    price[i] = spot[i] * std::erfc(-d) - strike[i] * std::erfc(width - d);
    delta[i] = std::erfc(-d);
    total += price[i];
  }
  return total;
}
