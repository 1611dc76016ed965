// Each turn sets one element, and the first nine again: the longer of both ranges is what is touched, no element more.
// expect: corrected 0
void first_of_each_turn(int n, double *y) {
  for (int p = 0; p < n; p++) {
    y[p] = 0.5;
    for (int q = 0; q < 9; q++) y[q] = 0.25;
  }
}
