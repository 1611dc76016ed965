// Rotary embeddings of halves, cosine and sine given.
#include <cstdint>

void rope_half(float *x, const float *cos_table, const float *sin_table, int64_t tokens, int64_t heads, int64_t dim) {
  const int64_t half = dim / 2;
  for (int64_t t = 0; t < tokens; ++t) {
    for (int64_t h = 0; h < heads; ++h) {
      float *row = x + (t * heads + h) * dim;
      for (int64_t i = 0; i < half; ++i) {
        const float c = cos_table[t * half + i];
        const float s = sin_table[t * half + i];
        const float a = row[i];
        const float b = row[i + half];
        row[i] = a * c - b * s;
        row[i + half] = a * s + b * c;
      }
    }
  }
}
