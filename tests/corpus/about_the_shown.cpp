// Scores about the greatest of those that a table shows, which come late; all of them are weighted.
// expect: corrected 2 in 1 kernel
#include <cmath>
#include <cstdint>

void about_the_shown(std::int64_t n, const __bf16 *q, const __bf16 *k, const __bf16 *v, const int *shown, __bf16 *o) {
  for (std::int64_t i = 0; i < n; i++) {
    float score[4096];
    for (std::int64_t j = 0; j < n; j++) {
      float dot = 0.0f;
      for (int d = 0; d < 64; d++) dot += (float)q[i * 64 + d] * (float)k[j * 64 + d];
      score[j] = dot * 0.125f;
    }
    float top = -INFINITY;
    for (std::int64_t j = 0; j < n; j++)
      if (shown[j] > 0) top = std::fmax(top, score[j]);
    float sum = 0.0f;
    for (std::int64_t j = 0; j < n; j++) sum += std::exp(score[j] - top);
    for (int d = 0; d < 64; d++) {
      float mean = 0.0f;
      for (std::int64_t j = 0; j < n; j++) mean += (float)(__bf16)std::exp(score[j] - top) * (float)v[j * 64 + d];
      o[i * 64 + d] = (__bf16)(mean / sum);
    }
  }
}
