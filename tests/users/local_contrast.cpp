// Local mean and deviation of windows that are cut at the borders.
#include <algorithm>
#include <cmath>

void local_contrast(const float *img, float *out, int rows, int cols, int radius) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const int r0 = std::max(0, r - radius), r1 = std::min(rows - 1, r + radius);
      const int c0 = std::max(0, c - radius), c1 = std::min(cols - 1, c + radius);
      float s = 0, s2 = 0;
      int n = 0;
      for (int i = r0; i <= r1; ++i)
        for (int j = c0; j <= c1; ++j) {
          const float v = img[i * cols + j];
          s += v;
          s2 += v * v;
          ++n;
        }
      const float mean = s / n, var = s2 / n - mean * mean;
      out[r * cols + c] = (img[r * cols + c] - mean) / std::sqrt(std::max(var, 1e-6f));
    }
  }
}
