// Batches by strides, kernels called for each.
static void gemv(const float *a, const float *x, float *y, int m, int n) {
  for (int i = 0; i < m; ++i) {
    y[i] = 0;
    for (int j = 0; j < n; ++j) y[i] += a[i * n + j] * x[j];
  }
}

void batched_stride(const float *a, const float *x, float *y, int batch, int m, int n, long stride_a, long stride_x,
                    long stride_y) {
  for (int b = 0; b < batch; ++b) gemv(a + b * stride_a, x + b * stride_x, y + b * stride_y, m, n);
}
