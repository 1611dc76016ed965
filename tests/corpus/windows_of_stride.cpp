// Windows a number of elements apart, as many as fit; and every step-th element of a row.
// expect: corrected 0 in 2 kernels

void windows_of_stride(const float *x, const float *w, float *y, float *z, int n, int k, int stride, int step) {
  if (stride <= 0 || step <= 0) return;
  const int count = (n - k) / stride + 1;
  for (int o = 0; o < count; o++) {
    float acc = 0;
    for (int t = 0; t < k; t++) acc += x[o * stride + t] * w[t];
    y[o] = acc;
  }
  for (int i = 0; i < n; i += step) z[i] = 0;
}
