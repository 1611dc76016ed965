// Sums over several loops into one number, or few: threads share out the loops, of which the first may be short.
// expect: corrected 0 in 4 kernels
#include <algorithm>
#include <cstdint>

double length_of_matrix(int n, int m, const double *a) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) s += a[i * m + j] * a[i * m + j];
  return s;
}

float residual_inside(int n, const float *a, const float *b) {
  float s = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      const float d = a[i * n + j] - b[i * n + j];
      s += d * d;
    }
  return s;
}

void means_of_colours(int h, int w, const std::uint8_t *image, float *mean) {
  for (int c = 0; c < 3; c++) {
    std::int64_t s = 0;
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) s += image[(y * w + x) * 3 + c];
    mean[c] = (float)s / (h * w);
  }
}

float largest_below_the_diagonal(int batch, int n, const float *a) {
  float most = 0;
  for (int b = 0; b < batch; b++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) most = std::max(most, a[(b * n + i) * n + j]);
  return most;
}
