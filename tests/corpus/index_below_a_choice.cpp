// Where an index says that there is no element (-1), nothing is read: also not for weights that all columns share.
// expect: corrected 2 in 1 kernel
#include <cmath>

void index_below_a_choice(int n, int w, const int *__restrict at, const float *__restrict x, const float *__restrict a,
                          float *__restrict y) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY;
    for (int j = 0; j < w; j++)
      if (at[i * w + j] >= 0) top = std::fmax(top, x[at[i * w + j]]);
    float sum = 0;
    for (int j = 0; j < w; j++)
      if (at[i * w + j] >= 0) sum += std::exp(x[at[i * w + j]] - top);
    for (int c = 0; c < w; c++) {
      float weighted = 0;
      for (int j = 0; j < w; j++)
        weighted += at[i * w + j] >= 0 ? std::exp(x[at[i * w + j]] - top) / sum * a[j * w + c] : 0.0f;
      y[i * w + c] = weighted;
    }
  }
}
