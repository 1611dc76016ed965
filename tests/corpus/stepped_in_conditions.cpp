// Counts that are stepped where a condition asks for them.
// expect: kept

void stepped_in_conditions(const int *x, int *y, int n, int m, int k) {
  for (int i = 0; i < n; i++) {
    int run = 0, best = 0, left = k;
    for (int j = 0; j < m; j++) {
      if (x[i * m + j] <= 0) {
        run = 0;
        continue;
      }
      if (++run > best) best = run;
      if (left-- > 0) best += x[i * m + j] & 1;
    }
    y[i] = best;
  }
}
