// Values are looked up through an index that runs with the weights.
// expect: corrected 1
#include <cmath>

void looked_up_values(int rows, int n, const int *at, const float *x, const float *v, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY, s = 0;
    for (int j = 0; j < n; j++) m = std::fmax(m, x[i * n + j]);
    for (int j = 0; j < n; j++) s += std::exp(x[i * n + j] - m) * v[at[j]];
    y[i] = s;
  }
}
