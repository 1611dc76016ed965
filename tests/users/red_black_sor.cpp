// Successive over-relaxation in two colours.
void red_black_sor(double *u, const double *f, int n, double h2, double omega) {
  for (int color = 0; color < 2; color++) {
    for (int i = 1; i < n - 1; i++) {
      for (int j = 1 + (i + color) % 2; j < n - 1; j += 2) {
        double r =
            0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - h2 * f[i * n + j]) -
            u[i * n + j];
        u[i * n + j] += omega * r;
      }
    }
  }
}
