// A causal window, first by position, then by distance.
// expect: corrected 1
#include <cmath>

void steps_back(int n, int w, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, s = 0;
    for (int j = 0; j <= i; j++)
      if (i - j < w) m = std::fmax(m, x[j]);
    for (int t = 0; t < w; t++)
      if (t <= i) s += std::exp(x[i - t] - m);
    y[i] = m + std::log(s);
  }
}
