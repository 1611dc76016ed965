// Sliding-window softmax attention of 8 heads: query i sees itself and the 255 keys before it.
// expect: corrected 2 in 1 kernel
// Arrays are [heads][length][dimension]; the first n of at most 2048 positions are in use.
#include <algorithm>
#include <cmath>

constexpr int heads = 8;
constexpr int length = 2048;
constexpr int dimension = 64;
constexpr int window = 256;

void attention_window(int n, const float q[heads][length][dimension], const float k[heads][length][dimension],
                      const float v[heads][length][dimension], float out[heads][length][dimension]) {
  for (int h = 0; h < heads; ++h)
    for (int i = 0; i < n; ++i) {
      float score[length];
      for (int j = std::max(0, i - window + 1); j <= i; ++j) {
        score[j] = 0;
        for (int e = 0; e < dimension; ++e) score[j] += q[h][i][e] * k[h][j][e];
        score[j] *= 0.125f;
      }
      float best = -INFINITY;
      for (int j = std::max(0, i - window + 1); j <= i; ++j) best = std::fmax(best, score[j]);
      float total = 0;
      for (int j = std::max(0, i - window + 1); j <= i; ++j) total += std::exp(score[j] - best);
      for (int e = 0; e < dimension; ++e) {
        float sum = 0;
        for (int j = std::max(0, i - window + 1); j <= i; ++j) sum += std::exp(score[j] - best) * v[h][j][e];
        out[h][i][e] = sum / total;
      }
    }
}
