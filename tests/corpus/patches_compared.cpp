// Pixels weighed by how much what is around them looks alike: a window of windows.
// expect: corrected 0

#include <cmath>

void patches_compared(int h, int w, int r, int p, const float *x, float *y) {
  for (int i = 4; i < h - 4; i++)
    for (int j = 4; j < w - 4; j++) {
      float s = 0, q = 0;
      for (int a = -r; a <= r; a++)
        for (int b = -r; b <= r; b++) {
          float d = 0;
          for (int c = -p; c <= p; c++)
            for (int e = -p; e <= p; e++) {
              const float t = x[(i + c) * w + j + e] - x[(i + a + c) * w + j + b + e];
              d += t * t;
            }
          const float g = std::exp(-d * 10);
          s += g * x[(i + a) * w + j + b];
          q += g;
        }
      y[i * w + j] = s / q;
    }
}
