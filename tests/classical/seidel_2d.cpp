// Steps of a mean of nine neighbours in place.
void seidel_2d(int steps, int n, double *a) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i * n + j] =
            (a[(i - 1) * n + j - 1] + a[(i - 1) * n + j] + a[(i - 1) * n + j + 1] + a[i * n + j - 1] + a[i * n + j] +
             a[i * n + j + 1] + a[(i + 1) * n + j - 1] + a[(i + 1) * n + j] + a[(i + 1) * n + j + 1]) /
            9.0;
}
