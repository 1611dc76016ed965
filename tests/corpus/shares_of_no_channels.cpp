// Shares among channels: without any, the first channel of a place is read all the same.
// expect: corrected 1

#include <algorithm>
#include <cmath>

void shares_of_no_channels(int n, int c, int s, const float *x, float *y) {
  for (int b = 0; b < n; b++)
    for (int i = 0; i < s; i++) {
      float m = x[b * c * s + i];
      for (int q = 1; q < c; q++) m = std::max(m, x[(b * c + q) * s + i]);
      float t = 0;
      for (int q = 0; q < c; q++) t += std::exp(x[(b * c + q) * s + i] - m);
      for (int q = 0; q < c; q++) y[(b * c + q) * s + i] = std::exp(x[(b * c + q) * s + i] - m) / t;
    }
}
