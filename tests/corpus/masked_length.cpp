// Each row of a padded batch has its own length.
// expect: corrected 1 in 1 kernel
#include <cmath>

void masked_length(int batch, int longest, const int *len, const float *x, float *y) {
  for (int b = 0; b < batch; b++) {
    float m = -INFINITY, l = 0;
    for (int j = 0; j < longest; j++)
      if (j < len[b]) m = std::fmax(m, x[b * longest + j]);
    for (int j = 0; j < longest; j++)
      if (j < len[b]) l += std::exp(x[b * longest + j] - m);
    y[b] = m + std::log(l);
  }
}
