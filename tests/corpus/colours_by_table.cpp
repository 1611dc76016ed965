// A table that is read where a rounded value says, which never leaves it.
// expect: corrected 0 in 1 kernels

#include <algorithm>

void colours_by_table(int n, int m, const float *x, const float *table, float *y) {
  for (int i = 0; i < n; i++) {
    int k = (int)(x[i] * (m - 1));
    k = std::min(std::max(k, 0), m - 1);
    y[i] = table[k];
  }
}
