// Softmax attention of 8 heads under other names, heads innermost in memory, the output summed with keys outermost.
// expect: corrected 2 in 1 kernel
// All arrays are [2048][8][64]; the first `count` positions are in use.
#include <cmath>

void blend(int count, const float want[2048][8][64], const float have[2048][8][64], const float value[2048][8][64],
           float result[2048][8][64]) {
  for (int a = 0; a < count; a++)
    for (int g = 0; g < 8; g++) {
      float fit[2048];
      for (int b = 0; b < count; b++) fit[b] = 0.0f;
      for (int c = 0; c < 64; c++)
        for (int b = 0; b < count; b++) fit[b] += want[a][g][c] * have[b][g][c];
      float peak = -INFINITY;
      for (int b = 0; b < count; b++)
        if (fit[b] > peak) peak = fit[b];
      float mass = 0.0f;
      for (int b = 0; b < count; b++) mass += std::exp(0.125f * (fit[b] - peak));
      for (int c = 0; c < 64; c++) result[a][g][c] = 0.0f;
      for (int b = 0; b < count; b++)
        for (int c = 0; c < 64; c++) result[a][g][c] += std::exp(0.125f * (fit[b] - peak)) * value[b][g][c];
      for (int c = 0; c < 64; c++) result[a][g][c] = result[a][g][c] / mass;
    }
}
