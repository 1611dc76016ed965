// A sum may be added up in another order, and its last bits choose the element.
// expect: left: last bits may be others than the source's

void sum_chooses(int n, int m, const float *x, const float *table, float *y) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j];
    y[i] = table[static_cast<int>(s)];
  }
}
