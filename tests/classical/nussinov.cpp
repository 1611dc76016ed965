// The best folding of a sequence, by the lengths of its parts.
void nussinov(int n, const int *base, int *best) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      if (j >= 1) best[i * n + j] = best[i * n + j] < best[i * n + j - 1] ? best[i * n + j - 1] : best[i * n + j];
      if (i + 1 < n)
        best[i * n + j] = best[i * n + j] < best[(i + 1) * n + j] ? best[(i + 1) * n + j] : best[i * n + j];
      if (j >= 1 && i + 1 < n && i < j - 1) {
        const int pair = best[(i + 1) * n + j - 1] + (base[i] + base[j] == 3 ? 1 : 0);
        best[i * n + j] = best[i * n + j] < pair ? pair : best[i * n + j];
      }
      for (int k = i + 1; k < j; k++) {
        const int both = best[i * n + k] + best[(k + 1) * n + j];
        best[i * n + j] = best[i * n + j] < both ? both : best[i * n + j];
      }
    }
}
