// Normalised over the queries instead of the keys: the reduction runs along the first index of the scores.
// expect: corrected 2
#include <cmath>

void columns_of_scores(int n, int m, const float *q, const float *k, const float *v, float *out) {
  for (int j = 0; j < m; j++) {
    float s[256];
    for (int i = 0; i < n; i++) {
      s[i] = 0;
      for (int e = 0; e < 4; e++) s[i] += q[i * 4 + e] * k[j * 4 + e];
    }
    float t = -INFINITY, z = 0, a = 0;
    for (int i = 0; i < n; i++) t = std::fmax(t, s[i]);
    for (int i = 0; i < n; i++) z += std::exp(s[i] - t);
    for (int i = 0; i < n; i++) a += std::exp(s[i] - t) * v[i];
    out[j] = a / z;
  }
}
