// Three products of one input, of different widths: on matrix units one launch takes the points of all.
// expect: corrected 0
void products_of_one_input(int n, int d, int p, int q, int r, const __bf16 *x, const __bf16 *u, const __bf16 *v,
                           const __bf16 *w, __bf16 *__restrict a, __bf16 *__restrict b, __bf16 *__restrict c) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < p; j++) {
      float s = 0;
      for (int k = 0; k < d; k++) s += (float)x[i * d + k] * (float)u[j * d + k];
      a[i * p + j] = (__bf16)s;
    }
    for (int j = 0; j < q; j++) {
      float s = 0;
      for (int k = 0; k < d; k++) s += (float)x[i * d + k] * (float)v[j * d + k];
      b[i * q + j] = (__bf16)s;
    }
    for (int j = 0; j < r; j++) {
      float s = 0;
      for (int k = 0; k < d; k++) s += (float)x[i * d + k] * (float)w[j * d + k];
      c[i * r + j] = (__bf16)(s * 0.5f);
    }
  }
}
