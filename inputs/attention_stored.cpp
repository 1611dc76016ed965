// Softmax attention of 8 heads that stores the weights of a row, then multiplies them with v, e outermost.
// expect: corrected 2 in 1 kernel
// The division by the sum stands inside the innermost loop.
#include <algorithm>
#include <cmath>

constexpr int heads = 8;
constexpr int length = 2048;
constexpr int dimension = 64;

void attention_stored(int n, const float q[heads][length][dimension], const float k[heads][length][dimension],
                      const float v[heads][length][dimension], float out[heads][length][dimension]) {
  for (int h = 0; h < heads; h++) {
    for (int i = 0; i < n; i++) {
      float weight[length];
      for (int j = 0; j < n; j++) {
        weight[j] = 0.0f;
        for (int e = 0; e < dimension; e++) weight[j] += q[h][i][e] * k[h][j][e] * 0.125f;
      }
      float top = -INFINITY;
      for (int j = 0; j < n; j++) top = std::max(top, weight[j]);
      for (int j = 0; j < n; j++) weight[j] = std::exp(weight[j] - top);
      float total = 0.0f;
      for (int j = 0; j < n; j++) total += weight[j];
      for (int e = 0; e < dimension; e++) {
        out[h][i][e] = 0.0f;
        for (int j = 0; j < n; j++) out[h][i][e] += weight[j] / total * v[h][j][e];
      }
    }
  }
}
