// One step of alternating directions, columns first.
void adi(int n, double *u, double *v, double *p, double *q) {
  for (int i = 1; i < n - 1; i++) {
    v[i] = 1;
    p[i * n] = 0;
    q[i * n] = 1;
    for (int j = 1; j < n - 1; j++) {
      p[i * n + j] = 0.25 / (0.25 * p[i * n + j - 1] + 1.5);
      q[i * n + j] =
          (0.25 * u[j * n + i - 1] + 0.5 * u[j * n + i] + 0.25 * u[j * n + i + 1] + 0.25 * q[i * n + j - 1]) /
          (0.25 * p[i * n + j - 1] + 1.5);
    }
    v[(n - 1) * n + i] = 1;
    for (int j = n - 2; j >= 1; j--) v[j * n + i] = p[i * n + j] * v[(j + 1) * n + i] + q[i * n + j];
  }
  for (int i = 1; i < n - 1; i++) {
    u[i * n] = 1;
    p[i * n] = 0;
    q[i * n] = 1;
    for (int j = 1; j < n - 1; j++) {
      p[i * n + j] = 0.25 / (0.25 * p[i * n + j - 1] + 1.5);
      q[i * n + j] =
          (0.25 * v[(i - 1) * n + j] + 0.5 * v[i * n + j] + 0.25 * v[(i + 1) * n + j] + 0.25 * q[i * n + j - 1]) /
          (0.25 * p[i * n + j - 1] + 1.5);
    }
    u[i * n + n - 1] = 1;
    for (int j = n - 2; j >= 1; j--) u[i * n + j] = p[i * n + j] * u[i * n + j + 1] + q[i * n + j];
  }
}
