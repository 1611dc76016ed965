// Half-precision rows, weights rounded to half precision before they are summed.
// expect: corrected 2 in 1 kernel
#include <cmath>

void half_softmax(int rows, const _Float16 x[64][96], const _Float16 v[96][8], _Float16 y[64][8]) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY, z = 0.0f;
    _Float16 p[96];
    for (int j = 0; j < 96; j++) m = std::fmax(m, (float)x[i][j]);
    for (int j = 0; j < 96; j++) {
      p[j] = (_Float16)std::exp((float)x[i][j] - m);
      z += (float)p[j];
    }
    for (int e = 0; e < 8; e++) {
      float acc = 0.0f;
      for (int j = 0; j < 96; j++) acc += (float)p[j] * (float)v[j][e];
      y[i][e] = (_Float16)(acc / z);
    }
  }
}
