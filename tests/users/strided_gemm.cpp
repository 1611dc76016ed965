// A small BLAS with leading dimensions and flags.
void strided_gemm(bool trans_a, int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                  float beta, float *c, int ldc) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int p = 0; p < k; p++) {
        const float av = trans_a ? a[p * lda + i] : a[i * lda + p];
        s += av * b[p * ldb + j];
      }
      c[i * ldc + j] = alpha * s + beta * c[i * ldc + j];
    }
}
