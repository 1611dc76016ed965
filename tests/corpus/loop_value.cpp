// Loop variables as values, with conversions from int.
// expect: corrected 0

void loop_value(int n, double *y, float *z) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j <= i; j++) s += (double)j / (i + 1);
    y[i] = s;
    z[i] = (float)(i / 3) * 0.5f + (float)(i % 4);
  }
}
