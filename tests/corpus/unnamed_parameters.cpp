// Parameters without a name.
// expect: corrected 0

void unnamed_parameters(int n, float y[100], int, const float[100], int) {
  for (int i = 0; i < n; i++) y[i] *= 2;
}
