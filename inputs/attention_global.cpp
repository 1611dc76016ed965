// Softmax attention of 8 heads, every query sees every key: one row of scores, its maximum, its sum, the weighted mean.
// expect: corrected 2 in 1 kernel
// Arrays are [heads][length][dimension]; the first n of at most 2048 positions are in use.
#include <cmath>

constexpr int heads = 8;
constexpr int length = 2048;
constexpr int dimension = 64;

void attention_global(int n, const float q[heads][length][dimension], const float k[heads][length][dimension],
                      const float v[heads][length][dimension], float out[heads][length][dimension]) {
  const float scale = 1.0f / std::sqrt(float(dimension));
  for (int h = 0; h < heads; h++) {
    for (int i = 0; i < n; i++) {
      float score[length];
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int e = 0; e < dimension; e++) sum += q[h][i][e] * k[h][j][e];
        score[j] = sum * scale;
      }
      float largest = -INFINITY;
      for (int j = 0; j < n; j++) largest = std::fmax(largest, score[j]);
      float total = 0;
      for (int j = 0; j < n; j++) total += std::exp(score[j] - largest);
      for (int e = 0; e < dimension; e++) {
        float sum = 0;
        for (int j = 0; j < n; j++) sum += std::exp(score[j] - largest) * v[h][j][e];
        out[h][i][e] = sum / total;
      }
    }
  }
}
