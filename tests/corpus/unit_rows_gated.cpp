// Rows of length 1, rounded, are multiplied with two matrices, whose results meet element by element.
// expect: corrected 2
#include <cmath>

void unit_rows_gated(int m, int n, int k, const _Float16 *x, const _Float16 *w1, const _Float16 *w3, _Float16 *y) {
  for (int i = 0; i < m; i++) {
    float square = 0;
    for (int p = 0; p < k; p++) square += (float)x[i * k + p] * (float)x[i * k + p];
    for (int j = 0; j < n; j++) {
      float a = 0, b = 0;
      for (int p = 0; p < k; p++) {
        const _Float16 unit = (_Float16)((float)x[i * k + p] / std::sqrt(square + 1e-6f));
        a += (float)unit * (float)w1[p * n + j];
        b += (float)unit * (float)w3[p * n + j];
      }
      y[i * n + j] = (_Float16)(a / (1.0f + std::exp(-a)) * b);
    }
  }
}
