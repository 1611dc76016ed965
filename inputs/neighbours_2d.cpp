// Each pixel attends to the 13 x 13 window about it, pushed inside at the border.
// expect: corrected 2 in 1 kernel
#include <algorithm>
#include <cmath>

void neighbours_2d(int heads, int height, int width, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *out) {
  if (height < 13 || width < 13) return;
  constexpr int dim = 64, window = 13, reach = window / 2;
  for (int h = 0; h < heads; h++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        const int top = std::clamp(y - reach, 0, height - window), left = std::clamp(x - reach, 0, width - window);
        float s[window][window], m = -INFINITY, l = 0;
        for (int a = 0; a < window; a++)
          for (int b = 0; b < window; b++) {
            float t = 0;
            for (int d = 0; d < dim; d++)
              t += float(q[((h * height + y) * width + x) * dim + d]) *
                   float(k[((h * height + top + a) * width + left + b) * dim + d]);
            s[a][b] = t * 0.125f;
            m = std::max(m, s[a][b]);
          }
        for (int a = 0; a < window; a++)
          for (int b = 0; b < window; b++) l += std::exp(s[a][b] - m);
        for (int d = 0; d < dim; d++) {
          float o = 0;
          for (int a = 0; a < window; a++)
            for (int b = 0; b < window; b++)
              o += float(__bf16(std::exp(s[a][b] - m))) *
                   float(v[((h * height + top + a) * width + left + b) * dim + d]);
          out[((h * height + y) * width + x) * dim + d] = __bf16(o / l);
        }
      }
}
