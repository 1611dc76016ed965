// Two products in a row, the first scaled.
// expect: corrected 0

void chained_products(int ni, int nj, int nk, int nl, float alpha, float beta, const float *A, const float *B,
                      const float *C, float *D) {
  float tmp[96][96];
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      tmp[i][j] = 0;
      for (int k = 0; k < nk; k++) tmp[i][j] += alpha * A[i * nk + k] * B[k * nj + j];
    }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++) {
      D[i * nl + j] *= beta;
      for (int k = 0; k < nj; k++) D[i * nl + j] += tmp[i][k] * C[k * nl + j];
    }
}
