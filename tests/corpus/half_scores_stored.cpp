// A weighted mean whose scores are stored in 16 bits: maximum, sum and mean all read them as stored.
// expect: corrected 2
#include <cmath>

void half_scores_stored(int n, int m, int d, const float *q, const float *k, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    _Float16 p[512];
    for (int j = 0; j < m; j++) {
      float sc = 0;
      for (int e = 0; e < d; e++) sc += q[i * d + e] * k[j * d + e];
      p[j] = (_Float16)sc;
    }
    float mx = -INFINITY, l = 0;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, (float)p[j]);
    for (int j = 0; j < m; j++) l += std::exp((float)p[j] - mx);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++) t += std::exp((float)p[j] - mx) / l * v[j * d + e];
      o[i * d + e] = t;
    }
  }
}
