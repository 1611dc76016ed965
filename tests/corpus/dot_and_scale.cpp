// Two vectors: their product decides how one of them is scaled; the result is returned.
// expect: corrected 0

double dot_and_scale(int n, const double *a, double *b) {
  double d = 0;
  for (int i = 0; i < n; i++) d += a[i] * b[i];
  for (int i = 0; i < n; i++) b[i] *= d;
  return d;
}
