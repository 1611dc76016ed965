// The search stops early.
// expect: left: nothing gained

void left_break(int n, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) break;
    y[i] = x[i];
  }
}
