// A factor that all rows share is read at both ends of a range alone: between them no element need be there.
// expect: corrected 0
#include <cmath>

void factor_at_both_ends(int m, int n, const float *u, const float *x, float alpha, float *y) {
  for (int i = 0; i < 9; i += 4) {
    float sum = 1;
    for (int t = 0; t < n; ++t)
      sum += t >= 1 && t < 27 ? u[i * n + t] * 0.25f + alpha : x[t * m + 2 * t] / (std::abs(alpha) + 1.0f);
    y[i] = sum;
  }
}
