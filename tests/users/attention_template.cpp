// Attention of one head as a template over the element and the width.
// options: --entry='attention_template<float, 64>'
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

template <typename scalar_t, int HEAD_DIM>
void attention_template(const scalar_t *__restrict__ Q, const scalar_t *__restrict__ K, const scalar_t *__restrict__ V,
                        scalar_t *__restrict__ O, int seq_q, int seq_k, bool is_causal) {
  const float scale = 1.0f / std::sqrt(static_cast<float>(HEAD_DIM));
  std::vector<float> p(seq_k);
  for (int i = 0; i < seq_q; ++i) {
    float row_max = -std::numeric_limits<float>::infinity();
    for (int j = 0; j < seq_k; ++j) {
      float dot = 0.f;
      for (int d = 0; d < HEAD_DIM; ++d) dot += Q[i * HEAD_DIM + d] * K[j * HEAD_DIM + d];
      p[j] = (is_causal && j > i) ? -std::numeric_limits<float>::infinity() : dot * scale;
      row_max = std::max(row_max, p[j]);
    }
    float denom = 0.f;
    for (int j = 0; j < seq_k; ++j) {
      p[j] = std::exp(p[j] - row_max);
      denom += p[j];
    }
    for (int d = 0; d < HEAD_DIM; ++d) {
      float acc = 0.f;
      for (int j = 0; j < seq_k; ++j) acc += p[j] * V[j * HEAD_DIM + d];
      O[i * HEAD_DIM + d] = acc / denom;
    }
  }
}
