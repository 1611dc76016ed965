// A pixel sees the 5 by 7 pixels about it; at the borders of the image the window is pushed inside.
// expect: corrected 2 in 1 kernel
#include <algorithm>
#include <cmath>

void windows_of_pixels(int height, int width, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  if (height < 5 || width < 7) return;
  for (int h = 0; h < 2; h++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        const int top = std::clamp(y - 2, 0, height - 5), left = std::clamp(x - 3, 0, width - 7);
        float s[5][7], m = -INFINITY, l = 0;
        for (int a = 0; a < 5; a++)
          for (int b = 0; b < 7; b++) {
            float t = 0;
            for (int d = 0; d < 16; d++)
              t += float(q[((h * height + y) * width + x) * 16 + d]) *
                   float(k[((h * height + top + a) * width + left + b) * 16 + d]);
            s[a][b] = t * 0.25f;
          }
        for (int a = 0; a < 5; a++)
          for (int b = 0; b < 7; b++) m = std::fmax(m, s[a][b]);
        for (int a = 0; a < 5; a++)
          for (int b = 0; b < 7; b++) l += std::exp(s[a][b] - m);
        for (int d = 0; d < 16; d++) {
          float sum = 0;
          for (int a = 0; a < 5; a++)
            for (int b = 0; b < 7; b++)
              sum +=
                  float(__bf16(std::exp(s[a][b] - m))) * float(v[((h * height + top + a) * width + left + b) * 16 + d]);
          o[((h * height + y) * width + x) * 16 + d] = __bf16(sum / l);
        }
      }
}
