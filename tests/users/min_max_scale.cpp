// Columns scaled to between zero and one; constant columns become zero.
#include <algorithm>

void min_max_scale(float *x, int rows, int cols) {
  for (int c = 0; c < cols; c++) {
    float lo = x[c], hi = x[c];
    for (int r = 1; r < rows; r++) {
      lo = std::min(lo, x[r * cols + c]);
      hi = std::max(hi, x[r * cols + c]);
    }
    float range = hi - lo;
    for (int r = 0; r < rows; r++) x[r * cols + c] = range > 0 ? (x[r * cols + c] - lo) / range : 0.0f;
  }
}
