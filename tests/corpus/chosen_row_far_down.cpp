// One row, chosen by its number, has elements; the rows behind it keep what the sum starts from. Nothing is mended:
// each chunk would go over all rows for the one, which alone shares anything.
// expect: corrected 0 in 2 kernels
#include <cmath>

void chosen_row_far_down(int n, int m, const float *x, const float *w, float *y) {
  for (int i = 0; i < n; i++) {
    float least = INFINITY;
    for (int j = 0; j < m; j++)
      if (i == 90) least = std::fmin(least, x[i * m + j]);
    float sum = 0;
    for (int j = 0; j < m; j++) sum += i == 90 ? (x[i * m + j] - least) * w[j] : 0;
    y[i] = sum;
  }
}
