// Truth values gathered over rows, in the ways that C++ offers.
// expect: corrected 0
bool any_above(int n, const float *x, float limit) {
  bool found = false;
  for (int i = 0; i < n; i++)
    if (x[i] > limit) found = true;
  return found;
}

bool all_sorted(int n, const float *x) {
  bool sorted = true;
  for (int i = 0; i + 1 < n; i++) sorted = sorted && x[i] <= x[i + 1];
  return sorted;
}

void flags(int rows, int n, const float *x, bool *finite, bool *positive, int *kinds) {
  for (int r = 0; r < rows; r++) {
    bool isFinite = true, isPositive = false, isZero = false;
    for (int i = 0; i < n; i++) {
      isFinite &= x[r * n + i] - x[r * n + i] == 0.0f;
      isPositive |= x[r * n + i] > 0;
      if (!(x[r * n + i] == 0)) continue;
      isZero = true;
    }
    finite[r] = isFinite;
    positive[r] = isPositive;
    kinds[r] = isZero ? 2 : isPositive ? 1 : 0;
  }
}
