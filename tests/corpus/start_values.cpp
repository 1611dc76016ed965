// A maximum that starts at zero and a sum that starts at one, as if one more element were there.
// expect: corrected 1
#include <cmath>

void start_values(int rows, int n, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float m = 0, s = 1;
    for (int j = 0; j < n; j++) m = std::fmax(m, x[i * n + j]);
    for (int j = 0; j < n; j++) s += std::exp(x[i * n + j] - m);
    y[i] = s;
  }
}
