// Bits that differ between codes.
#include <cstdint>

void hamming_distance(const uint32_t *a, const uint32_t *b, int *d, int n, int words) {
  for (int i = 0; i < n; ++i) {
    int s = 0;
    for (int w = 0; w < words; ++w) s += __builtin_popcount(a[i * words + w] ^ b[w]);
    d[i] = s;
  }
}
