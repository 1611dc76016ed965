// A sum that only some rows take part in, stored for all of them.
// expect: corrected 0
#include <cmath>

void rows_chosen_for_a_sum(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float s = 1.0f;
    for (int j = 0; j < m; j++)
      if (i >= 3 && i < 7) s += x[i * m + j] * x[i * m + j];
    y[i] = std::sqrt(s);
  }
}
