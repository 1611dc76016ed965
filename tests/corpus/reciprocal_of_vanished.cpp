// Terms that underflow add up to +0, and to what is less than that, or -0, where their factor is taken out: the sign of
// the reciprocal tells.
// expect: corrected 1
#include <cmath>

void reciprocal_of_vanished(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float weight = 0;
    for (int j = 0; j < m; j++) weight += std::exp(x[i * m + j] - 70.0f);
    float below = 0;
    for (int j = 0; j < m; j++) below += x[i * m + j] * weight;
    y[i] = below != 0 ? below : 1.0f / below;
  }
}
