// A sweep over points of one colour in place, with the sum of what it changes: each row adds up its own.
// expect: moved
double residual_in_place(double *phi, const double *rhs, long n, double h2, int colour, double omega) {
  double sum = 0;
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1 + ((i + colour) & 1); j < n - 1; j += 2) {
      double &p = phi[i * n + j];
      const double r = 0.25 * (phi[(i - 1) * n + j] + phi[(i + 1) * n + j] + phi[i * n + j - 1] + phi[i * n + j + 1] -
                               h2 * rhs[i * n + j]) -
                       p;
      p += omega * r;
      sum += r * r;
    }
  return sum;
}
