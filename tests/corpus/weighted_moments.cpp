// A weighted mean and the weighted square distance from it, with weights that do not sum to one.
// expect: corrected 0 in 2 kernels; refused: no correction for a sum

void weighted_moments(int rows, int cols, const double *x, const double *w, double *mean, double *var) {
  for (int i = 0; i < rows; i++) {
    double total = 0, sum = 0, square = 0;
    for (int j = 0; j < cols; j++) total += w[j];
    for (int j = 0; j < cols; j++) sum += w[j] * x[i * cols + j];
    for (int j = 0; j < cols; j++) square += w[j] * (x[i * cols + j] - sum / total) * (x[i * cols + j] - sum / total);
    mean[i] = sum / total;
    var[i] = square / total;
  }
}
