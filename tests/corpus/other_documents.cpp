// What comes later or belongs to another document is skipped.
// expect: corrected 2
#include <cmath>

void other_documents(int n, const float *doc, const float *q, const float *k, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, l = 0, a[4] = {0, 0, 0, 0};
    for (int j = 0; j < n; j++) {
      if (j > i || doc[i] != doc[j]) continue;
      float s = 0;
      for (int d = 0; d < 4; d++) s += q[i * 4 + d] * k[j * 4 + d];
      m = std::fmax(m, s);
    }
    for (int j = 0; j < n; j++) {
      if (j > i) continue;
      if (doc[i] != doc[j]) continue;
      float s = 0;
      for (int d = 0; d < 4; d++) s += q[i * 4 + d] * k[j * 4 + d];
      const float p = std::exp(s - m);
      l += p;
      for (int d = 0; d < 4; d++) a[d] += p * v[j * 4 + d];
    }
    for (int d = 0; d < 4; d++) o[i * 4 + d] = a[d] / l;
  }
}
