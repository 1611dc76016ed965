// Rows of a table chosen by an index, scaled; the index is read from an array of the caller.
// expect: corrected 0

void gathered_rows(int n, int width, const int *which, const float table[100][32], float *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 32; j++) out[i * 32 + j] = 2.0f * table[which[i]][j];
}
