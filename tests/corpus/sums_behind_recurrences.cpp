// Each path runs step by step, and what it pays is added up: the paths wait for one another only in the sums.
// expect: moved
#include <algorithm>
#include <cmath>

void sums_behind_recurrences(const double *z, int paths, int steps, double drift, double strike, double *result) {
  double sum = 0, squares = 0;
  for (int p = 0; p < paths; p++) {
    double level = 0, mean = 0;
    for (int i = 0; i < steps; i++) {
      level = 0.99 * level + drift * z[p * steps + i];
      mean += std::exp(level);
    }
    const double pay = std::max(mean / steps - strike, 0.0);
    sum += pay;
    squares += pay * pay;
  }
  result[0] = sum;
  result[1] = squares;
}
