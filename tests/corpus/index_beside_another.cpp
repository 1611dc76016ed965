// Rows of a table chosen by an index, stored, and summed beside weights that are integers too: the index keeps its row.
// expect: corrected 0
void index_beside_another(int n, int m, const int *which, const int *w, const float *table, float *out, float *norm) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) out[i * m + j] = table[which[i] * m + j] + 1.0f;
    for (int j = 0; j < m; j++) s += w[j] * table[which[i] * m + j];
    norm[i] = s;
  }
}
