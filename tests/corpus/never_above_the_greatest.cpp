// Nothing is above the greatest of a row, so that each weight is multiplied by zero; what is no number shows all the
// same.
// expect: corrected 0 in 1 kernel; refused: no correction for a sum
#include <algorithm>
#include <cmath>

void never_above_the_greatest(int n, int m, const float *x, const float *b, float *y) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY;
    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j]);
    float part = 0.0f;
    for (int j = 0; j < m; j++) part += std::fmax(x[i * m + j] - top, 0.0f) * b[j];
    y[i] = part;
  }
}
