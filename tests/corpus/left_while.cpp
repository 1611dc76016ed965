// A loop without a counter.
// expect: left: not supported

void left_while(int n, float *x) {
  int i = 0;
  while (i < n) {
    x[i] = 0;
    i++;
  }
}
