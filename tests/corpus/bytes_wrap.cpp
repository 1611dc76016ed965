// What bytes and shorts do not hold wraps around in them, after sums that int holds.
// expect: corrected 0 in 1 kernels

void bytes_wrap(const unsigned char *a, const signed char *b, const unsigned short *c, unsigned char *sum,
                signed char *difference, short *product, unsigned char *twice, int rows, int cols) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      sum[i * cols + j] = a[i * cols + j] + 200;
      difference[i * cols + j] = b[i * cols + j] - a[i * cols + j];
      product[i * cols + j] = a[i * cols + j] * c[i * cols + j];
      const unsigned char once = a[i * cols + j] + b[i * cols + j];
      twice[i * cols + j] += once * 2;
    }
}
