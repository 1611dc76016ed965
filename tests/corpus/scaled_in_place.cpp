// Each row is divided by its root mean square, in place, and multiplied by a gain.
// expect: corrected 0
#include <cmath>

void scaled_in_place(int rows, int n, float *x, const float *g) {
  for (int i = 0; i < rows; i++) {
    float ss = 0;
    for (int j = 0; j < n; j++) ss += x[i * n + j] * x[i * n + j];
    const float r = 1.0f / std::sqrt(ss / n + 1e-5f);
    for (int j = 0; j < n; j++) x[i * n + j] = x[i * n + j] * r * g[j];
  }
}
