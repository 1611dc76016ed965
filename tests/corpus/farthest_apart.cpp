// The largest and the least product of a row with all columns: nothing is mended, yet no product is stored.
// expect: corrected 0
#include <cmath>

void farthest_apart(int groups, int n, int m, int k, const __bf16 *a, const __bf16 *b, float *most, float *least) {
  for (int g = 0; g < groups; g++)
    for (int i = 0; i < n; i++) {
      float high = -INFINITY, low = INFINITY;
      for (int j = 0; j < m; j++) {
        float dot = 0;
        for (int l = 0; l < k; l++) dot += float(a[(g * n + i) * k + l]) * float(b[(g * k + l) * m + j]);
        high = std::fmax(high, dot);
        low = std::fmin(low, dot);
      }
      most[g * n + i] = high;
      least[g * n + i] = low;
    }
}
