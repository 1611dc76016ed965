// All elements but the last are written again by a second loop: of the first one, only the last turn counts.
// expect: corrected 0

void written_by_two_loops(int n, double *a, const double *b) {
  for (int i = 0; i < n; i++) a[i] = b[i] * 2;
  for (int i = 0; i < n - 1; i++) a[i] = b[i] * 3;
}
