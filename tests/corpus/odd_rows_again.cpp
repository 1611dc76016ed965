// Every second row from the last: the others are not read, nor computed again.
// expect: corrected 1
#include <cmath>

void odd_rows_again(int n, int m, const float *x, float *y) {
  for (int i = n - 1; i >= 0; i -= 2) {
    float top = -INFINITY;
    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j]);
    float sum = 0;
    for (int j = 0; j < m; j++) sum += std::exp(x[i * m + j] - top);
    y[i] = sum;
  }
}
