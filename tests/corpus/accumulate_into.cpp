// The sum is added to what the caller's array holds.
// expect: corrected 0

void accumulate_into(int m, int n, int k, const float *A, const float *B, float *C) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int p = 0; p < k; p++) C[i * n + j] += A[i * k + p] * B[p * n + j];
}
