// expect: corrected 0 in 1 kernel; refused: no correction for a sum
// Scores that count only where a weight is not negative, over two ranges: how many elements `z` has cannot be told,
// none of it is read where all weights are negative, and a tile of scores is computed whole.
#include <cmath>

void stored_where_weighed(int n, int d, const float *w, const float (*score)[72], const float *z, const float *value,
                          float *out) {
  for (int i = 1; i < n; ++i) {
    float sum = 0;
    for (int e = 0; e < i + 1; ++e) sum += w[e] >= 0 ? score[i][e] + z[e] : 0;
    float spread = 0;
    for (int e = 0; e < d; ++e)
      if (w[e] >= 0) spread += (score[i][e] + z[e] - sum) * (score[i][e] + z[e] - sum);
    for (int j = 0; j < n; ++j) {
      float s = 0;
      for (int e = 0; e < i + 1; ++e)
        s += w[e] >= 0 ? std::exp(score[i][e] + z[e] - sum) / spread * value[e * n + j] : 0;
      out[i * n + j] = s;
    }
  }
}
