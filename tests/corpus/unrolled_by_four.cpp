// By hand four at a time, and what is left one by one: the four stay in one loop, since they share lines of memory.
// expect: corrected 0

void unrolled_by_four(float *y, const float *x, float a, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    y[i] = a * x[i];
    y[i + 1] = a * x[i + 1];
    y[i + 2] = a * x[i + 2];
    y[i + 3] = a * x[i + 3];
  }
  for (; i < n; i++) y[i] = a * x[i];
}
