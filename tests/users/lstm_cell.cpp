// The pointwise part of an LSTM cell.
#include <cmath>

inline float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

void lstm_cell(const float *gates, const float *c_prev, float *c, float *h, int batch, int hidden) {
  for (int b = 0; b < batch; ++b) {
    const float *g = gates + b * 4 * hidden;
    for (int j = 0; j < hidden; ++j) {
      const float i = sigmoid(g[j]), f = sigmoid(g[hidden + j]);
      const float z = std::tanh(g[2 * hidden + j]), o = sigmoid(g[3 * hidden + j]);
      const float next = f * c_prev[b * hidden + j] + i * z;
      c[b * hidden + j] = next;
      h[b * hidden + j] = o * std::tanh(next);
    }
  }
}
