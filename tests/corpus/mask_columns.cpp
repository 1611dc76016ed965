// A query sees the first five columns of each block of 16 keys, and its own place.
// expect: corrected 2
#include <cmath>

void mask_columns(int n, const float *q, const float *k, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    float s[512], m = -INFINITY, l = 0, a = 0;
    for (int j = 0; j < n; j++) s[j] = (j % 16) <= 4 || j == i ? q[i] * k[j] : -INFINITY;
    for (int j = 0; j < n; j++) m = std::fmax(m, s[j]);
    for (int j = 0; j < n; j++) l += std::exp(s[j] - m);
    for (int j = 0; j < n; j++) a += std::exp(s[j] - m) * v[j];
    o[i] = a / l;
  }
}
