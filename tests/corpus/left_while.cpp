// A loop that counts by no fixed step.
// expect: left: changes, and is a subscript

void left_while(int n, float *x) {
  int i = 1;
  while (i < n) {
    x[i] = 0;
    i *= 2;
  }
}
