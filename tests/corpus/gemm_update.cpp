// C = alpha A B + beta C on flat arrays, columns of B in the outer loop.
// expect: corrected 0

void gemm_update(int m, int n, int k, float alpha, float beta, const float *A, const float *B, float *C) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      float acc = 0;
      for (int p = 0; p < k; p++) acc += A[i * k + p] * B[p * n + j];
      C[i * n + j] = alpha * acc + beta * C[i * n + j];
    }
}
