// Layers: product, positive part, product, softmax over the outputs of each row.
// expect: corrected 1 in 1 kernel
#include <algorithm>
#include <cmath>

void stage_by_stage(int n, const float x[100][24], const float w1[24][40], const float w2[40][12], float y[100][12]) {
  for (int i = 0; i < n; i++) {
    float hidden[40], score[12];
    for (int h = 0; h < 40; h++) {
      float a = 0;
      for (int k = 0; k < 24; k++) a += x[i][k] * w1[k][h];
      hidden[h] = std::max(0.0f, a);
    }
    float top = -INFINITY, total = 0;
    for (int o = 0; o < 12; o++) {
      score[o] = 0;
      for (int h = 0; h < 40; h++) score[o] += hidden[h] * w2[h][o];
      top = std::fmax(top, score[o]);
    }
    for (int o = 0; o < 12; o++) total += std::exp(score[o] - top);
    for (int o = 0; o < 12; o++) y[i][o] = std::exp(score[o] - top) / total;
  }
}
