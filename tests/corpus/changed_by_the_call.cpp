// Helpers that change an array and return a count, called as the value of a variable.
// expect: kept; moved
static int halved(double *p, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    p[i] *= 0.5;
    count += p[i] > 1;
  }
  return count;
}
void changed_by_the_call(double (*p)[500], int *large, int rows) {
  for (int i = 0; i < rows; i++) {
    int count = halved(p[i], 250);
    count += 2 * halved(p[i] + 250, 250);
    large[i] = count;
  }
}
