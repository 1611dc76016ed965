// Rows lie as many elements apart as the caller says: a product whose operands and result are parts of wider matrices.
// expect: corrected 0

void pitch_given(int m, int n, int k, int lda, int ldb, int ldc, const __bf16 *a, const __bf16 *b, float *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int p = 0; p < k; p++) s += (float)a[i * lda + p] * (float)b[p * ldb + j];
      c[i * ldc + j] = s;
    }
}
