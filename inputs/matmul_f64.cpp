// The product of an n x k matrix and a k x m matrix of double.
// expect: corrected 0 in 1 kernel
// a, b and c are stored flat, row by row.
#include <cstdint>

void matmul_f64(std::int64_t n, std::int64_t m, std::int64_t k, const double *a, const double *b, double *c) {
  for (std::int64_t i = 0; i < n; i++)
    for (std::int64_t j = 0; j < m; j++) {
      double sum = 0.0;
      for (std::int64_t l = 0; l < k; l++) sum += a[i * k + l] * b[l * m + j];
      c[i * m + j] = sum;
    }
}
