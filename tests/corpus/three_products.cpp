// The product of two products; global arrays.
// expect: corrected 0
constexpr int N = 96;
float A[N][N], B[N][N], C[N][N], D[N][N], E[N][N], F[N][N], G[N][N];

void three_products() {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      E[i][j] = 0;
      for (int k = 0; k < N; k++) E[i][j] += A[i][k] * B[k][j];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      F[i][j] = 0;
      for (int k = 0; k < N; k++) F[i][j] += C[i][k] * D[k][j];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      G[i][j] = 0;
      for (int k = 0; k < N; k++) G[i][j] += E[i][k] * F[k][j];
    }
}
