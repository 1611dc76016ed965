// The last turn of the inner loop leaves its value; a sum that no other turn needs is of that turn alone.
// expect: corrected 0

void last_turn(int n, int m, double *a, double *c, const double *b) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) {
      a[i] = b[i * m + k] * 2;
      double sum = 0;
      for (int j = 0; j <= k; j++) sum += b[k * m + j];
      if (k < 3 || k > 7) c[i] = sum * k;
    }
}
