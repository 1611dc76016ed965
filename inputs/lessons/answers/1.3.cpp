void carried(int rows, float a[][64]) {
  for (int r = 0; r < rows; r++)
    for (int i = 1; i < 64; i++) a[r][i] = 0.5f * a[r][i - 1] + a[r][i];
}
