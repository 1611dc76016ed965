// The least of one element over all rows from the third on but one, which is a multiple of three: few rows leave none.
// expect: corrected 0
#include <cmath>

void all_but_one_of_late_rows(long h, const float *data, float *grid) {
  for (long col = 0; col < h; col += 3)
    for (long r = 0; r < h; ++r) {
      float norm = 0.0f;
      for (long row = 3; row < h; ++row)
        if (row != col) norm = std::fmin(norm, data[r]);
      grid[r] = norm;
    }
}
