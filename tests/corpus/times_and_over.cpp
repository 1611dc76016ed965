// A maximum that cancels out of a mended sum: while it runs, no element is multiplied by it and divided again.
// expect: corrected 2 in 1 kernel
#include <cmath>

void times_and_over(int rows, int n, const double *x, double *out) {
  for (int p = 0; p < rows; p++) {
    double total = 0.0;
    for (int i = 0; i < n; i++) total += std::exp(x[p * n + i] * 0.125);
    double lowest = -1000.0;
    for (int i = 0; i < n; i++) lowest = std::fmax(lowest, x[p * n + i] - (total + 1.0));
    double sum = 0.0;
    for (int i = 0; i <= p; i++) sum += x[p * n + i] * lowest / lowest;
    out[p] = sum;
  }
}
