// A convolution over a signal with several channels, then the positive part.
// expect: corrected 0
#include <algorithm>

void convolution(int n, const float x[4][260], const float w[6][4][5], const float b[6], float y[6][256]) {
  for (int o = 0; o < 6; o++)
    for (int i = 0; i < n; i++) {
      float acc = b[o];
      for (int c = 0; c < 4; c++)
        for (int k = 0; k < 5; k++) acc += w[o][c][k] * x[c][i + k];
      y[o][i] = std::max(acc, 0.0f);
    }
}
