// Each turn writes the element ahead, which the next turn writes again.
// expect: corrected 0

void written_ahead(int n, double *a, const double *b) {
  for (int i = 0; i < n - 1; i++) {
    a[i + 1] = b[i] * 2;
    a[i] = b[i] * 3;
  }
}
