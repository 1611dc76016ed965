void wavefronts(int n, float a[][64]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < 63; j++) a[i][j] = 0.5f * (a[i - 1][j + 1] + a[i][j - 1]);
}
