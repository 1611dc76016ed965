// Row pointers and columns of 64 bits without a sign.
// expect: corrected 0 in 1 kernel
#include <cstddef>

void rows_of_wide_ends(std::size_t n, const std::size_t *__restrict row, const std::size_t *__restrict column,
                       const double *__restrict value, const double *__restrict x, double *__restrict y) {
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t k = row[i]; k < row[i + 1]; ++k) sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}
