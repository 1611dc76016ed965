// Mean, variance and third moment of each row about the mean.
// expect: corrected 2
#include <cmath>

void moments(int rows, int cols, const double *x, double *mean, double *var, double *skew) {
  for (int i = 0; i < rows; i++) {
    double mu = 0, v = 0, t = 0;
    for (int j = 0; j < cols; j++) mu += x[i * cols + j];
    mu = mu / cols;
    for (int j = 0; j < cols; j++) {
      double d = x[i * cols + j] - mu;
      v += d * d;
      t += d * d * d;
    }
    mean[i] = mu;
    var[i] = v / cols;
    skew[i] = t / cols;
  }
}
