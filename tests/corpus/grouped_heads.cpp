// Four query heads share one key head; scores are kept in a local array of two dimensions.
// expect: corrected 2
#include <cmath>

constexpr int D = 8;

void grouped_heads(int n, const float q[8][128][D], const float k[2][128][D], const float v[2][128][D],
                   float o[8][128][D]) {
  for (int h = 0; h < 8; h++) {
    float p[128][128];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        p[i][j] = 0;
        for (int d = 0; d < D; d++) p[i][j] += q[h][i][d] * k[h / 4][j][d];
      }
    for (int i = 0; i < n; i++) {
      float m = p[i][0];
      for (int j = 1; j < n; j++) m = std::fmax(m, p[i][j]);
      float z = 0;
      for (int j = 0; j < n; j++) {
        p[i][j] = std::exp(p[i][j] - m);
        z += p[i][j];
      }
      for (int j = 0; j < n; j++) p[i][j] /= z;
    }
    for (int i = 0; i < n; i++)
      for (int d = 0; d < D; d++) {
        o[h][i][d] = 0;
        for (int j = 0; j < n; j++) o[h][i][d] += p[i][j] * v[h / 4][j][d];
      }
  }
}
