// A row over the sum of its powers, times a matrix: the products alone would underflow where the quotients do not.
// expect: corrected 1 in 1 kernel
#include <cmath>

void over_a_small_norm(int columns, const double *table, const float *x, double *o, const double *bias) {
  for (int i = 0; i < columns; i++) {
    double norm = 0.0;
    for (int j = 0; j < columns; j++) norm += std::pow(std::abs(table[i * columns + j] + x[j]), 1.5);
    for (int l = 0; l < columns; l++) {
      double sum = 0.0;
      for (int j = 0; j < columns; j++) sum += (table[i * columns + j] + x[j]) / norm * bias[j * columns + l];
      o[i * columns + l] = sum;
    }
  }
}
