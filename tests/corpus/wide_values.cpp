// More value columns than fit one tile, their number a size.
// expect: corrected 2
#include <cmath>

void wide_values(int n, int width, const float *s, const float *v, float *o) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, z = 0;
    for (int j = 0; j < n; j++) m = std::fmax(m, s[i * n + j]);
    for (int j = 0; j < n; j++) z += std::exp(s[i * n + j] - m);
    for (int e = 0; e < width; e++) {
      float acc = 0;
      for (int j = 0; j < n; j++) acc += std::exp(s[i * n + j] - m) * v[j * width + e];
      o[i * width + e] = acc / z;
    }
  }
}
