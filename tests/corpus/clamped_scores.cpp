// Scores clamped between two numbers that do not lie around zero, written as fmin and fmax.
// expect: corrected 2
#include <cmath>

void clamped_scores(int len, const float *a, const float *b, const float *c, float *r) {
  for (int p = 0; p < len; ++p) {
    float w[1024];
    for (int t = 0; t < len; ++t) {
      float d = 0.0f;
      for (int x = 0; x < 8; ++x) d += a[p * 8 + x] * b[t * 8 + x];
      w[t] = std::fmin(std::fmax(d, -4.0f), 36.0f);
    }
    float m = -INFINITY;
    for (int t = 0; t < len; ++t) m = std::fmax(m, w[t]);
    float sum = 0.0f;
    for (int t = 0; t < len; ++t) sum += std::exp(w[t] - m);
    for (int x = 0; x < 8; ++x) {
      float acc = 0.0f;
      for (int t = 0; t < len; ++t) acc += std::exp(w[t] - m) * c[t * 8 + x];
      r[p * 8 + x] = acc / sum;
    }
  }
}
