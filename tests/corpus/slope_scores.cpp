// A weighted mean under softmax scores that fall off with the distance, by a slope that differs from head to head.
// expect: corrected 2
#include <cmath>

void slope_scores(int n, const float Q[4][512][16], const float K[4][512][16], const float V[4][512][16],
                  const float slope[4], float O[4][512][16]) {
  for (int h = 0; h < 4; h++)
    for (int i = 0; i < n; i++) {
      float s[512], top = -INFINITY, z = 0.f;
      for (int j = 0; j <= i; j++) {
        s[j] = 0.f;
        for (int e = 0; e < 16; e++) s[j] += Q[h][i][e] * K[h][j][e];
        s[j] = s[j] * 0.25f + slope[h] * (float)(j - i);
      }
      for (int j = 0; j <= i; j++) top = std::fmax(top, s[j]);
      for (int j = 0; j <= i; j++) z += std::exp(s[j] - top);
      for (int e = 0; e < 16; e++) {
        float a = 0.f;
        for (int j = 0; j <= i; j++) a += std::exp(s[j] - top) / z * V[h][j][e];
        O[h][i][e] = a;
      }
    }
}
