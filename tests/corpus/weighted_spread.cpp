// The variance under weights: the mean is a quotient of two running sums.
// expect: corrected 2

void weighted_spread(int rows, int n, const float *x, const float *w, float *y) {
  for (int i = 0; i < rows; i++) {
    float total = 0, mean = 0, s = 0;
    for (int j = 0; j < n; j++) total += w[i * n + j] * w[i * n + j];
    for (int j = 0; j < n; j++) mean += w[i * n + j] * w[i * n + j] * x[i * n + j] / total;
    for (int j = 0; j < n; j++) {
      float d = x[i * n + j] - mean;
      s += w[i * n + j] * w[i * n + j] * d * d;
    }
    y[i] = s / total;
  }
}
