// A running maximum of each column, in place.
// expect: moved
#include <algorithm>

void prefix_max(int n, int m, float *x) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++) x[i * m + j] = std::max(x[(i - 1) * m + j], x[i * m + j]);
}
