// Each element becomes the sum of itself and its right neighbour: the order matters.
// expect: left: nothing gained

void in_place_shift(int n, float *x) {
  for (int i = 0; i + 1 < n; i++) x[i] = x[i] + x[i + 1];
}
