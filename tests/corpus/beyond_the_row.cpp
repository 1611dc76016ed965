// Two columns at a time, of rows that may end in the middle of a pair: where a read lies in its row cannot be told.
// expect: corrected 2
#include <cmath>

void beyond_the_row(int rows, int n, const float *x, float *y) {
  for (int i = 0; i + 1 < rows; i++) {
    float a = -INFINITY, b = -INFINITY, s = 0, t = 0;
    for (int j = 0; j < n; j += 2) {
      a = std::fmax(a, x[i * n + j]);
      b = std::fmax(b, x[i * n + j + 1]);
    }
    for (int j = 0; j < n; j += 2) {
      s += std::exp(x[i * n + j] - a);
      t += std::exp(x[i * n + j + 1] - b);
    }
    y[2 * i] = a + std::log(s);
    y[2 * i + 1] = b + std::log(t);
  }
}
