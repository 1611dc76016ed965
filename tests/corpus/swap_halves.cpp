// Two arrays exchange their contents through a scalar.
// expect: kept

void swap_halves(int n, float *a, float *b) {
  for (int i = 0; i < n; i++) {
    float t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}
