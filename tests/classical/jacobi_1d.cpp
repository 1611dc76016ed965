// Steps of a mean of three neighbours, there and back.
void jacobi_1d(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
    for (int i = 1; i < n - 1; i++) a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
  }
}
