// Results of two bytes within wider rows, whose length is no multiple of what a thread stores at once.
// expect: corrected 0

void part_of_wider_rows(int m, int n, int k, int lda, int ldb, int ldc, const __bf16 *a, const __bf16 *b, __bf16 *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int p = 0; p < k; p++) s += (float)a[i * lda + p] * (float)b[p * ldb + j];
      c[i * ldc + j] = (__bf16)(s > 0 ? s : 0.01f * s);
    }
}
