// Steps of Maxwell's equations in the plane.
void fdtd_2d(int steps, int n, int m, double *ex, double *ey, double *hz, const double *f) {
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < m; j++) ey[j] = f[t];
    for (int i = 1; i < n; i++)
      for (int j = 0; j < m; j++) ey[i * m + j] -= 0.5 * (hz[i * m + j] - hz[(i - 1) * m + j]);
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m; j++) ex[i * m + j] -= 0.5 * (hz[i * m + j] - hz[i * m + j - 1]);
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < m - 1; j++)
        hz[i * m + j] -= 0.7 * (ex[i * m + j + 1] - ex[i * m + j] + ey[(i + 1) * m + j] - ey[i * m + j]);
  }
}
