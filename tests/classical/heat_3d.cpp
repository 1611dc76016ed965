// Two steps of the heat equation in a cube.
void heat_3d(int n, double *a, double *b) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        b[(i * n + j) * n + k] =
            0.125 * (a[((i + 1) * n + j) * n + k] - 2.0 * a[(i * n + j) * n + k] + a[((i - 1) * n + j) * n + k]) +
            0.125 * (a[(i * n + j + 1) * n + k] - 2.0 * a[(i * n + j) * n + k] + a[(i * n + j - 1) * n + k]) +
            0.125 * (a[(i * n + j) * n + k + 1] - 2.0 * a[(i * n + j) * n + k] + a[(i * n + j) * n + k - 1]) +
            a[(i * n + j) * n + k];
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        a[(i * n + j) * n + k] =
            0.125 * (b[((i + 1) * n + j) * n + k] - 2.0 * b[(i * n + j) * n + k] + b[((i - 1) * n + j) * n + k]) +
            0.125 * (b[(i * n + j + 1) * n + k] - 2.0 * b[(i * n + j) * n + k] + b[(i * n + j - 1) * n + k]) +
            0.125 * (b[(i * n + j) * n + k + 1] - 2.0 * b[(i * n + j) * n + k] + b[(i * n + j) * n + k - 1]) +
            b[(i * n + j) * n + k];
}
