void wavefronts(int n, const float a[][64], float b[][64]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < 64; j++) b[i][j] = 0.5f * (a[i - 1][j] + a[i][j - 1]);
}
