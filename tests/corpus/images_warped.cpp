// An image seen through a field of shifts: what lies beside it is not read.
// expect: corrected 0 in 1 kernels

#include <cmath>

void images_warped(int h, int w, const float *x, const float *fx, const float *fy, float *y) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      const float u = j + fx[i * w + j] * 4, v = i + fy[i * w + j] * 4;
      const int x0 = (int)std::floor(u), y0 = (int)std::floor(v);
      const float dx = u - x0, dy = v - y0;
      float s = 0;
      if (x0 >= 0 && x0 < w - 1 && y0 >= 0 && y0 < h - 1)
        s = (1 - dy) * ((1 - dx) * x[y0 * w + x0] + dx * x[y0 * w + x0 + 1]) +
            dy * ((1 - dx) * x[(y0 + 1) * w + x0] + dx * x[(y0 + 1) * w + x0 + 1]);
      y[i * w + j] = s;
    }
}
