// Each row of a cube times a matrix, in place through one row of scratch.
void doitgen(int r, int q, int p, double *a, const double *c, double *sum) {
  for (int i = 0; i < r; i++)
    for (int j = 0; j < q; j++) {
      for (int k = 0; k < p; k++) {
        sum[k] = 0;
        for (int s = 0; s < p; s++) sum[k] += a[(i * q + j) * p + s] * c[s * p + k];
      }
      for (int k = 0; k < p; k++) a[(i * q + j) * p + k] = sum[k];
    }
}
