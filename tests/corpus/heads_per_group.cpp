// How many heads share a matrix is known at run time alone: its extent is not affine.
// expect: corrected 0

void heads_per_group(int heads, int rep, int n, int m, const __bf16 *q, const __bf16 *k, float *out) {
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        float s = 0;
        for (int c = 0; c < 64; c++) s += (float)q[(h * n + i) * 64 + c] * (float)k[((h / rep) * m + j) * 64 + c];
        out[(h * n + i) * m + j] = s;
      }
}
