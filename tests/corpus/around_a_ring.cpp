// Neighbours on a torus: the next place after the last is the first, the one before the first the last.
// expect: corrected 0 in 2 kernels

int energy_of_spins(const signed char *spin, int L) {
  int e = 0;
  for (int i = 0; i < L; i++)
    for (int j = 0; j < L; j++) e -= spin[i * L + j] * (spin[i * L + (j + 1) % L] + spin[((i + 1) % L) * L + j]);
  return e;
}

void diffused(int n, int m, const float *__restrict__ u, float *__restrict__ v) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      const int up = (i - 1 + n) % n, down = (i + 1) % n, left = (j + m - 1) % m, right = (j + 1) % m;
      v[i * m + j] = 0.25f * (u[up * m + j] + u[down * m + j] + u[i * m + left] + u[i * m + right]);
    }
}
