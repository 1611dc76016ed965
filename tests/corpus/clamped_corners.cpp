// Sums over boxes from a table whose corners are kept within: a device gets all of it, as a container says how much.
// expect: corrected 0
#include <vector>

void clamped_corners(const std::vector<float> &table, int w, int h, int r, float *y) {
  const int row = w + 1;
  for (int j = 0; j < h; ++j) {
    const int j0 = j - r < 0 ? 0 : j - r, j1 = j + r + 1 > h ? h : j + r + 1;
    for (int i = 0; i < w; ++i) {
      const int i0 = i - r < 0 ? 0 : i - r, i1 = i + r + 1 > w ? w : i + r + 1;
      y[j * w + i] = table[j1 * row + i1] - table[j0 * row + i1] - table[j1 * row + i0] + table[j0 * row + i0];
    }
  }
}
