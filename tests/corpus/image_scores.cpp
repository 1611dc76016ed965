// Every pixel looks at the pixels near it: keys in two loops, image and window of any size.
// expect: corrected 2
#include <cmath>

void image_scores(int h, int w, int r, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float m = -INFINITY, l = 0, s[512][512];
      for (int a = 0; a < h; a++)
        for (int b = 0; b < w; b++)
          if (a - y <= r && y - a <= r && b - x <= r && x - b <= r) {
            float t = 0;
            for (int e = 0; e < 16; e++) t += (float)q[(y * w + x) * 16 + e] * (float)k[(a * w + b) * 16 + e];
            s[a][b] = t * 0.25f;
            m = std::fmax(m, s[a][b]);
          }
      for (int a = 0; a < h; a++)
        for (int b = 0; b < w; b++)
          if (a - y <= r && y - a <= r && b - x <= r && x - b <= r) l += std::exp(s[a][b] - m);
      for (int e = 0; e < 16; e++) {
        float acc = 0;
        for (int a = 0; a < h; a++)
          for (int b = 0; b < w; b++)
            if (a - y <= r && y - a <= r && b - x <= r && x - b <= r)
              acc += (float)(__bf16)std::exp(s[a][b] - m) * (float)v[(a * w + b) * 16 + e];
        o[(y * w + x) * 16 + e] = (__bf16)(acc / l);
      }
    }
}
