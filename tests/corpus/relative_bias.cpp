// Scores with a bias looked up by relative position; the loop over output elements is outside the loops over keys.
// expect: corrected 2
#include <algorithm>
#include <cmath>

void relative_bias(int n, const float x[256][8], const float y[256][8], const float bias[512], const float val[256][4],
                   float out[256][4]) {
  for (int i = 0; i < n; ++i)
    for (int e = 0; e < 4; ++e) {
      float best = -INFINITY;
      for (int j = 0; j < n; ++j) {
        float s = bias[i - j + n];
        for (int k = 0; k < 8; ++k) s += x[i][k] * y[j][k];
        best = std::max(best, s);
      }
      float num = 0, den = 0;
      for (int j = 0; j < n; ++j) {
        float s = bias[i - j + n];
        for (int k = 0; k < 8; ++k) s += x[i][k] * y[j][k];
        den += std::exp(s - best);
        num += std::exp(s - best) * val[j][e];
      }
      out[i][e] = num / den;
    }
}
