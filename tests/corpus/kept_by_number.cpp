// Shares of a softmax that are kept where a hash of their number says so, weighted by remainders of numbers: integers
// stay integers beside what is mended.
// expect: corrected 6 in 3 kernels
#include <algorithm>
#include <cmath>

void dropped(int n, int m, unsigned seed, const float *s, float *o) {
  for (int i = 0; i < n; i++) {
    float most = -INFINITY, sum = 0, kept = 0;
    for (int j = 0; j < m; j++) most = std::fmax(most, s[i * m + j]);
    for (int j = 0; j < m; j++) sum += std::exp(s[i * m + j] - most);
    for (int j = 0; j < m; j++) {
      unsigned h = (unsigned)(i * m + j) * 0x9e3779b9u + seed;
      h ^= h >> 15;
      h *= 0xac1b3c6du;
      h ^= h >> 12;
      kept += (h & 1023u) < 900u ? std::exp(s[i * m + j] - most) / sum : 0.0f;
    }
    o[i] = kept;
  }
}

void by_remainders(int n, int m, int k, const float *s, float *o) {
  for (int i = 0; i < n; i++) {
    float most = -INFINITY, sum = 0, weighted = 0;
    for (int j = 0; j < m; j++) most = std::fmax(most, s[i * m + j]);
    for (int j = 0; j < m; j++) sum += std::exp(s[i * m + j] - most);
    for (int j = 0; j < m; j++)
      weighted += std::exp(s[i * m + j] - most) / sum * (float)(std::max(i * k, 123456789 + j * k) % 7);
    o[i] = weighted;
  }
}

void by_words(int n, int m, const unsigned *u, const float *s, float *o) {
  for (int i = 0; i < n; i++) {
    float most = -INFINITY, sum = 0, weighted = 0;
    for (int j = 0; j < m; j++) most = std::fmax(most, s[i * m + j]);
    for (int j = 0; j < m; j++) sum += std::exp(s[i * m + j] - most);
    for (int j = 0; j < m; j++) {
      const unsigned h = u[j] + u[j] + 7u * (unsigned)j;
      const float weight = (int)u[j] < 0 ? 0.5f : (float)(h / 3u % 11u);
      weighted += std::exp(s[i * m + j] - most) / sum * weight;
    }
    o[i] = weighted;
  }
}
