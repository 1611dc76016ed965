// Rows of 320 are centred and shifted into an array of their own, which two products then read.
// expect: refused: what the source rounds waits

void shifted_rows_kept(int n, int m, const __bf16 *x, const __bf16 *shift, const __bf16 *w, const __bf16 *v, __bf16 *y,
                       __bf16 *z) {
  for (int i = 0; i < n; i++) {
    __bf16 centred[320];
    float sum = 0;
    for (int p = 0; p < 320; p++) sum += (float)x[i * 320 + p];
    for (int p = 0; p < 320; p++) centred[p] = (__bf16)((float)x[i * 320 + p] - sum / 320.0f + (float)shift[p]);
    for (int j = 0; j < m; j++) {
      float a = 0;
      for (int p = 0; p < 320; p++) a += (float)centred[p] * (float)w[p * m + j];
      y[i * m + j] = (__bf16)a;
    }
    for (int j = 0; j < m; j++) {
      float b = 0;
      for (int p = 0; p < 320; p++) b += (float)centred[p] * (float)v[j * 320 + p];
      z[i * m + j] = (__bf16)b;
    }
  }
}
