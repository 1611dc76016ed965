// What is stored last is of the last column that any row reaches: beyond a tile of columns, and before the width where
// there are fewer rows. Columns of the type that no row reaches are not read.
// expect: corrected 0
#include <cmath>

void last_of_many_rows(int count, int m, const float (*left)[72], const float *u, double *grid) {
  for (int j = 0; j < m; j++)
    for (int l = j; l < count; l++)
      for (int e = 0; e < m; e++) {
        double low = 0.0;
        for (int r = 0; r < count; r = r + 3) low = std::fmax(low, u[r] - (double)left[e][j]);
        grid[e] = low;
      }
}
