// C = beta C + alpha A B on 16-bit factors, added up in C itself by one rank after the other.
// expect: corrected 0

void scaled_rank_updates(int m, int n, int k, float alpha, float beta, const __bf16 *A, const __bf16 *B, float *C) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) C[i * n + j] *= beta;
    for (int p = 0; p < k; p++) {
      const float r = alpha * float(A[i * k + p]);
      for (int j = 0; j < n; j++) C[i * n + j] += r * float(B[p * n + j]);
    }
  }
}
