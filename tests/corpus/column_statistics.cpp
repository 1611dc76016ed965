// Columns are scaled by their largest magnitude and summed; rows are the inner storage.
// expect: corrected 1
#include <cmath>

void column_statistics(int n, int m, const float x[90][90], float *norm) {
  for (int c = 0; c < m; c++) {
    float big = 0;
    for (int r = 0; r < n; r++) big = std::fmax(big, std::fabs(x[r][c]));
    float s = 0;
    for (int r = 0; r < n; r++) s += (x[r][c] / big) * (x[r][c] / big);
    norm[c] = big * std::sqrt(s);
  }
}
