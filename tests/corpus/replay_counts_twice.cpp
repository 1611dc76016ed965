// A window as a choice: a row of which a value is infinite is computed again, each element once, although the columns
// that it takes come in two parts.
// expect: corrected 1
#include <cmath>
void replay_counts_twice(int n, int m, int d, const float *q, const float *k, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    float p[512];
    for (int j = 0; j < m; j++) {
      float sc = 0;
      for (int e = 0; e < d; e++) sc += q[i * d + e] * k[j * d + e];
      p[j] = i - j < 4 && j - i < 3 ? sc : -INFINITY;
    }
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, p[j]);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++) t += std::exp(p[j] - mx) * v[j * d + e];
      o[i * d + e] = t;
    }
  }
}
