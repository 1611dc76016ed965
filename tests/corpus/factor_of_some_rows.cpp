// A factor of rows to which elements come is read in these alone: its array ends with them.
// expect: corrected 1
#include <cmath>

void factor_of_some_rows(int n, int m, const float *x, const float *a, float *y) {
  for (int i = 0; i < n; i++) {
    float top = 0;
    for (int j = 0; j < m; j++)
      if (i >= 2 && i < 28) top = std::fmax(top, std::fabs(x[i * m + j]));
    float below = 0;
    for (int j = 0; j < m; j++)
      if (i >= 2 && i < 28) below += x[i * m + j] * a[i] * std::log(top + 1.0f);
    y[i] = below;
  }
}
