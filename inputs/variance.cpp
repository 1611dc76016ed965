// The variance of each row in two passes: the mean, then the mean square of the distances from it.
// expect: corrected 1 in 1 kernel
// x is [rows][columns], stored flat.

void variance(int rows, int columns, const float *x, float *result) {
  for (int i = 0; i < rows; i++) {
    float mean = 0.0f;
    for (int j = 0; j < columns; j++) mean += x[i * columns + j];
    mean /= columns;
    float sum = 0.0f;
    for (int j = 0; j < columns; j++) {
      float d = x[i * columns + j] - mean;
      sum += d * d;
    }
    result[i] = sum / columns;
  }
}
