// A linear layer whose weights are scaled back column by column, and its rows too, inside the sum.
// expect: corrected 0

void scaled_columns(int n, int m, int k, const _Float16 *x, const float *x_scale, const _Float16 *w,
                    const float *w_scale, const float *bias, float *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      y[i * m + j] = bias[j];
      for (int l = 0; l < k; l++)
        y[i * m + j] -= (float(x[i * k + l]) / x_scale[i]) * (float(w[j * k + l]) * w_scale[j]);
    }
}
