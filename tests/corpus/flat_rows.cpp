// A loop over rows * cols whose variable is taken apart by cols, and one over the quotient of a size by another.
// expect: corrected 0 in 2 kernels

void flat_rows(float *x, const float *bias, float *means, int rows, int cols, int size, int d) {
  if (d <= 0) return;
  for (int i = 0; i < rows * cols; i++) x[i] += bias[i % cols];
  for (int r = 0; r < size / d; r++) {
    float sum = 0;
    for (int j = 0; j < d; j++) sum += bias[r * d + j];
    means[r] = sum / d;
  }
}
