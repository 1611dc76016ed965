// A row of m elements holds 3 e only where m is 1 at most: that is no shape of the array to rest a result on.
// expect: corrected 0 in 2 kernels
void rows_too_narrow(int m, int n, const float *x, const float *y, float *z) {
  for (int e = 0; e < m; ++e) {
    float sum = 0.0f;
    for (int j = 0; j < m; ++j) sum += x[j] * y[j * m + 3 * j];
    for (int j = 0; j < n; ++j) sum += y[e * m + j];
    z[e] = sum;
  }
}
