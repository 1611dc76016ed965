// Each row sees the columns of its own block and the first 16 of all: a union of two ranges, which overlap in the first
// block.
// expect: corrected 2 in 1 kernel
#include <cmath>

void mask_near_or_first(int n, const float q[150][12], const float k[150][12], const float v[150][8], float o[150][8]) {
  for (int i = 0; i < n; i++) {
    float s[150], m = -INFINITY, l = 0;
    for (int j = 0; j < n; j++) {
      float t = 0;
      for (int d = 0; d < 12; d++) t += q[i][d] * k[j][d];
      s[j] = (i / 64 == j / 64 || j < 16) ? t * 0.3f : -INFINITY;
      m = s[j] > m ? s[j] : m;
    }
    for (int j = 0; j < n; j++) l += std::exp(s[j] - m);
    for (int d = 0; d < 8; d++) {
      float a = 0;
      for (int j = 0; j < n; j++) a += std::exp(s[j] - m) * v[j][d];
      o[i][d] = a / l;
    }
  }
}
