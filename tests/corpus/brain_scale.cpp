// bf16 rows scaled by their root mean square, times a bf16 matrix.
// expect: corrected 1
#include <cmath>

void brain_scale(int rows, int cols, const __bf16 x[64][80], const __bf16 w[80][8], float y[64][8]) {
  for (int i = 0; i < rows; i++) {
    float ss = 0.0f;
    for (int j = 0; j < cols; j++) ss += (float)x[i][j] * (float)x[i][j];
    float r = 1.0f / std::sqrt(ss / (float)cols + 1e-6f);
    for (int e = 0; e < 8; e++) {
      float acc = 0.0f;
      for (int j = 0; j < cols; j++) acc += (float)x[i][j] * r * (float)w[j][e];
      y[i][e] = acc;
    }
  }
}
