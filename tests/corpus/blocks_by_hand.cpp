// A product tiled by hand along all three loops: the loops over blocks say nothing that the others do not.
// expect: corrected 0
#include <algorithm>

void blocks_by_hand(int m, int n, int k, const __bf16 *a, const __bf16 *b, float *c) {
  for (int ii = 0; ii < m; ii += 16)
    for (int jj = 0; jj < n; jj += 16)
      for (int i = ii; i < std::min(ii + 16, m); i++)
        for (int j = jj; j < std::min(jj + 16, n); j++) {
          float s = 0;
          for (int pp = 0; pp < k; pp += 16)
            for (int p = pp; p < std::min(pp + 16, k); p++) s += (float)a[i * k + p] * (float)b[p * n + j];
          c[i * n + j] = s;
        }
}
