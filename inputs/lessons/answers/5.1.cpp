void wavefronts(int n, float a[][8]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < 7; j++) a[i][j] = 0.5f * (a[i - 1][j + 1] + a[i][j - 1]);
}
