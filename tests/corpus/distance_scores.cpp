// A kernel smoother: weights exp(-(squared distance)) normalised through the smallest distance.
// expect: corrected 2
#include <cmath>

void distance_scores(int n, int m, const double *q, const double *k, const double *v, double *out) {
  for (int i = 0; i < n; i++) {
    double lo = INFINITY;
    for (int j = 0; j < m; j++) {
      double d = 0;
      for (int e = 0; e < 3; e++) d += (q[i * 3 + e] - k[j * 3 + e]) * (q[i * 3 + e] - k[j * 3 + e]);
      lo = std::fmin(lo, d);
    }
    double w = 0, acc = 0;
    for (int j = 0; j < m; j++) {
      double d = 0;
      for (int e = 0; e < 3; e++) d += (q[i * 3 + e] - k[j * 3 + e]) * (q[i * 3 + e] - k[j * 3 + e]);
      w += std::exp(lo - d);
      acc += std::exp(lo - d) * v[j];
    }
    out[i] = acc / w;
  }
}
