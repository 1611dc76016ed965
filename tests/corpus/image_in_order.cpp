// Rows of twelve pixels, each of which looks at itself and the pixels before it; elements of a pixel in four groups.
// expect: corrected 2
#include <cmath>

constexpr int w = 12;

void image_in_order(int h, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float m = -INFINITY, l = 0, s[4096][w];
      for (int a = 0; a < h; a++)
        for (int b = 0; b < w; b++)
          if (a * w + b <= y * w + x) {
            float t = 0;
            for (int c = 0; c < 4; c++)
              for (int e = 0; e < 8; e++)
                t += (float)q[((y * w + x) * 4 + c) * 8 + e] * (float)k[((a * w + b) * 4 + c) * 8 + e];
            s[a][b] = t * 0.25f;
            m = std::fmax(m, s[a][b]);
          }
      for (int a = 0; a < h; a++)
        for (int b = 0; b < w; b++)
          if (a * w + b <= y * w + x) l += std::exp(s[a][b] - m);
      for (int c = 0; c < 4; c++)
        for (int e = 0; e < 8; e++) {
          float acc = 0;
          for (int a = 0; a < h; a++)
            for (int b = 0; b < w; b++)
              if (a * w + b <= y * w + x)
                acc += (float)(__bf16)std::exp(s[a][b] - m) * (float)v[((a * w + b) * 4 + c) * 8 + e];
          o[((y * w + x) * 4 + c) * 8 + e] = (__bf16)(acc / l);
        }
    }
}
