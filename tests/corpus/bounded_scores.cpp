// Scores squashed by tanh before the maximum is taken; the maximum is a conditional expression with >=.
// expect: corrected 2
#include <cmath>

void bounded_scores(int len, const float *a, const float *b, const float *c, float *r) {
  for (int p = 0; p < len; ++p) {
    float w[1024];
    for (int t = 0; t < len; ++t) {
      float d = 0.0f;
      for (int x = 0; x < 8; ++x) d += a[p * 8 + x] * b[t * 8 + x];
      w[t] = 5.0f * std::tanh(d / 5.0f);
    }
    float m = -INFINITY;
    for (int t = 0; t < len; ++t) m = w[t] >= m ? w[t] : m;
    float sum = 0.0f;
    for (int t = 0; t < len; ++t) {
      w[t] = std::exp(w[t] - m);
      sum += w[t];
    }
    for (int x = 0; x < 8; ++x) {
      float acc = 0.0f;
      for (int t = 0; t < len; ++t) acc += w[t] * c[t * 8 + x];
      r[p * 8 + x] = acc / sum;
    }
  }
}
