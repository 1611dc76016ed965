// A weighted sum of exponentials with signs, and the logarithm of the plain one.
// expect: corrected 2
#include <cmath>

void log_sum_weights(int rows, int cols, const double *x, const double *w, double *y, double *z) {
  for (int i = 0; i < rows; i++) {
    double m = x[i * cols];
    for (int j = 1; j < cols; j++)
      if (m < x[i * cols + j]) m = x[i * cols + j];
    double plain = 0, signedSum = 0;
    for (int j = 0; j < cols; j++) {
      double e = std::exp(x[i * cols + j] - m);
      plain += e;
      signedSum += w[j] * e;
    }
    y[i] = std::log(plain) + m;
    z[i] = signedSum / plain;
  }
}
