// Keys of the query's own block of sixteen.
// expect: corrected 2
#include <cmath>

void blocked_mask(int n, const float *s, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, l = 0, a = 0;
    for (int j = 0; j < n; j++)
      if (j / 16 == i / 16) m = std::fmax(m, s[i * n + j]);
    for (int j = 0; j < n; j++)
      if (j / 16 == i / 16) l += std::exp(s[i * n + j] - m);
    for (int j = 0; j < n; j++)
      if (j / 16 == i / 16) a += std::exp(s[i * n + j] - m) * v[j];
    o[i] = a / l;
  }
}
