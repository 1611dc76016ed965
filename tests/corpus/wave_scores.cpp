// Weights from the least of bounded waves: the nearer to it, the heavier.
// expect: corrected 2
#include <cmath>

void wave_scores(int len, const float *a, const float *b, const float *c, float *r) {
  for (int p = 0; p < len; ++p) {
    float least = INFINITY;
    for (int t = 0; t < len; ++t) least = std::fmin(least, 3.0f * std::sin(a[p] + b[t]) - 2.0f * std::cos(a[p] * b[t]));
    float sum = 0.0f, acc = 0.0f;
    for (int t = 0; t < len; ++t) {
      const float w = std::exp(least - (3.0f * std::sin(a[p] + b[t]) - 2.0f * std::cos(a[p] * b[t])));
      sum += w;
      acc += w * c[t];
    }
    r[p] = acc / sum;
  }
}
