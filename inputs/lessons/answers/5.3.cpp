void wavefronts(int n, const float a[][8], float b[][64]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < 8; j++) b[i][j] = 0.5f * (a[i - 1][j] + a[i][j - 1]);
}
