// A product of matrices whose sum runs over groups of columns, of any number and length.
// expect: corrected 0

void product_in_groups(int m, int n, int groups, int length, const __bf16 *a, const __bf16 *b, float *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int g = 0; g < groups; g++)
        for (int e = 0; e < length; e++)
          s += (float)a[(i * groups + g) * length + e] * (float)b[(g * length + e) * n + j];
      c[i * n + j] = s;
    }
}
