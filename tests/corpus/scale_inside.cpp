// Scores whose scale stands at the query's element, inside their sum.
// expect: corrected 2
#include <cmath>

void scale_inside(int n, const __bf16 *query, const __bf16 *key, const __bf16 *value, __bf16 *out) {
  for (int i = 0; i < n; i++) {
    float s[512];
    for (int j = 0; j <= i; j++) {
      float dot = 0.0f;
      for (int d = 0; d < 64; d++) {
        const float scaled = float(query[i * 64 + d]) * 0.125f;
        dot += scaled * float(key[j * 64 + d]);
      }
      s[j] = dot;
    }
    float top = -INFINITY, total = 0.0f;
    for (int j = 0; j <= i; j++) top = std::fmax(top, s[j]);
    for (int j = 0; j <= i; j++) total += std::exp(s[j] - top);
    for (int d = 0; d < 64; d++) {
      float sum = 0.0f;
      for (int j = 0; j <= i; j++) {
        const __bf16 w = static_cast<__bf16>(std::exp(s[j] - top));
        sum += float(w) * float(value[j * 64 + d]);
      }
      out[i * 64 + d] = static_cast<__bf16>(sum / total);
    }
  }
}
