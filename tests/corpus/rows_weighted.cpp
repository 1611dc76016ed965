// Rows of a sparse matrix, normalised and multiplied: what one pass over [row[i], row[i + 1]) mends.
// expect: corrected 2 in 1 kernel
#include <cmath>

void rows_weighted(int n, const int *row, const int *column, const float *score, const float *__restrict x,
                   float *__restrict y) {
  for (int i = 0; i < n; i++) {
    float most = -INFINITY;
    for (int k = row[i]; k < row[i + 1]; k++) most = fmaxf(most, score[k]);
    float total = 0;
    for (int k = row[i]; k < row[i + 1]; k++) total += expf(score[k] - most);
    float sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++) sum += expf(score[k] - most) * x[column[k]];
    y[i] = total > 0 ? sum / total : 0;
  }
}
