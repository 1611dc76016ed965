// The logarithm of a sum of exponentials over each row of a sparse matrix times a vector: the sum is mended.
// expect: corrected 1 in 1 kernel
#include <cmath>

void rows_log_summed(int n, const int *row, const int *column, const float *value, const float *__restrict x,
                     float *__restrict y) {
  for (int i = 0; i < n; i++) {
    float most = -INFINITY;
    for (int k = row[i]; k < row[i + 1]; k++) most = std::fmax(most, value[k] * x[column[k]]);
    float sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++) sum += std::exp(value[k] * x[column[k]] - most);
    y[i] = most + std::log(sum);
  }
}
