// The maximum by an if with >=, and a sum over the positive elements only.
// expect: corrected 1
#include <cmath>
void chosen_elements(int rows, int n, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY;
    for (int j = 0; j < n; j++)
      if (x[i * n + j] >= m) m = x[i * n + j];
    float s = 0;
    for (int j = 0; j < n; j++)
      if (x[i * n + j] > 0) s += std::exp(x[i * n + j] - m);
    y[i] = s;
  }
}
