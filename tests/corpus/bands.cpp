// A banded matrix times a vector, and the largest element of each band below which it is centred.
// expect: corrected 1 in 1 kernel
#include <algorithm>

void bands(int n, int half, const double *a, const double *v, double *y, double *c) {
  for (int i = 0; i < n; i++) {
    double s = 0, m = -1e300, e = 0;
    for (int j = std::max(0, i - half); j <= std::min(n - 1, i + half); j++) s += a[i * n + j] * v[j];
    for (int j = std::max(0, i - half); j <= std::min(n - 1, i + half); j++) m = a[i * n + j] > m ? a[i * n + j] : m;
    for (int j = std::max(0, i - half); j <= std::min(n - 1, i + half); j++) e += (a[i * n + j] - m) * v[j];
    y[i] = s;
    c[i] = e;
  }
}
