// Checksums: sums of products modulo 2^32, and a bitwise one.
// expect: kept: 'p' is a recurrence that is no reduction
void sums_modulo(int rows, int columns, const unsigned *x, const unsigned *weight, unsigned *sum, unsigned *parity) {
  for (int i = 0; i < rows; i++) {
    unsigned s = 1, p = 0;
    for (int j = 0; j < columns; j++) {
      s += x[i * columns + j] * (weight[j] - x[j]);
      p ^= x[i * columns + j] | weight[j];
    }
    sum[i] = s;
    parity[i] = p;
  }
}
