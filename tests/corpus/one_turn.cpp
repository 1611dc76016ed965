// Loops of one turn, and points that an equality picks out of two loops.
// expect: corrected 0 in 1 kernel

void one_turn(int n, const float *x, float *y, float *z) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < 1; j++) y[i] += x[j + i];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i == j) z[i] = y[j] * x[i];
}
