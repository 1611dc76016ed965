// A shift of constants beyond an int's 31 bits is one modulo 2^32, shifted back -1.
// expect: corrected 0
void shifts_of_constants(int n, int m, const int *x, long *y) {
  for (int i = 0; i < n; i++) {
    unsigned sum = 1;
    for (int j = 0; j < m; j++) sum += x[i * m + j] + ((1 << 31) >> 31);
    y[i] = (long)sum - (3 << 30);
  }
}
