// A pixel sees the 5 rows of pixels up to its own and the 7 columns about it, of those that the image has.
// expect: corrected 2 in 1 kernel
#include <cmath>

void windows_cut(int height, int width, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  for (int h = 0; h < 2; h++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        float s[5][7], m = -INFINITY, l = 0;
        for (int a = 0; a < 5; a++)
          for (int b = 0; b < 7; b++) {
            const int row = y - 4 + a, column = x - 3 + b;
            s[a][b] = -INFINITY;
            if (row < 0 || column < 0 || column >= width) continue;
            float t = 0;
            for (int d = 0; d < 16; d++)
              t += float(q[((h * height + y) * width + x) * 16 + d]) *
                   float(k[((h * height + row) * width + column) * 16 + d]);
            s[a][b] = t * 0.25f;
          }
        for (int a = 0; a < 5; a++)
          for (int b = 0; b < 7; b++) m = std::fmax(m, s[a][b]);
        for (int a = 0; a < 5; a++)
          for (int b = 0; b < 7; b++) l += std::exp(s[a][b] - m);
        for (int d = 0; d < 16; d++) {
          float sum = 0;
          for (int a = 0; a < 5; a++)
            for (int b = 0; b < 7; b++) {
              const int row = y - 4 + a, column = x - 3 + b;
              if (row >= 0 && column >= 0 && column < width)
                sum += float(__bf16(std::exp(s[a][b] - m))) * float(v[((h * height + row) * width + column) * 16 + d]);
            }
          o[((h * height + y) * width + x) * 16 + d] = __bf16(sum / l);
        }
      }
}
