// A sum of zeros that ends with a negative factor is +0, as its start is: the sign of its reciprocal tells.
// expect: corrected 1
#include <cmath>

void reciprocal_of_zero_sum(int n, int m, const float *x, const float *w, float *y) {
  for (int i = 0; i < n; i++) {
    float top = 0;
    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j]);
    float below = 0;
    for (int j = 0; j < m; j++) below += w[j] * std::fabs(x[i * m + j] - top);
    y[i] = below != 0 ? below : 1.0f / below;
  }
}
