// Two statements write the elements of one row by turns, for each of which the last one counts.
// expect: corrected 0 in 2 kernels
#include <cmath>

void last_of_two_writers(int width, int h, const float *a, float *grid) {
  for (int col = h - 1; col >= 0; col--) {
    for (int row = 3; row < width; row++)
      for (int l = 0; l < width; l += 3) {
        float least = 0.0f;
        for (int e = 4; e >= 0; e--) least = std::fmin(least, (float)e * 0.25f + a[e * 64 + l]);
        grid[l] = least;
      }
    for (int at = 0; at < width; at++) {
      float sum = 0.0f;
      for (int r = col; r < width; r++) sum += 0.5f;
      grid[col] = sum;
    }
  }
}
