// Two products of doubles with the exponentials of the first's rows between them; the second factor is stored across.
// expect: corrected 2

#include <cmath>

void weighted_doubles(int n, int m, const double *q, const double *k, const double *v, double *o) {
  for (int i = 0; i < n; i++) {
    double s[512];
    double largest = -INFINITY;
    for (int j = 0; j < m; j++) {
      s[j] = 0.0;
      for (int d = 0; d < 32; d++) s[j] += q[i * 32 + d] * k[j * 32 + d];
      largest = std::fmax(largest, 0.25 * s[j]);
    }
    double total = 0.0;
    for (int j = 0; j < m; j++) total += std::exp(0.25 * s[j] - largest);
    for (int e = 0; e < 48; e++) {
      double sum = 0.0;
      for (int j = 0; j < m; j++) sum += std::exp(0.25 * s[j] - largest) * v[j * 48 + e];
      o[i * 48 + e] = sum / total;
    }
  }
}
