// A sum of products that 32 bits do not hold.
// expect: corrected 0 in 1 kernels

void sum_of_long_products(const int *a, const unsigned *u, long *sums, int rows, int cols) {
  for (int i = 0; i < rows; i++) {
    long sum = 0;
    for (int j = 0; j < cols; j++) sum += static_cast<long>(a[i * cols + j]) * u[j] - static_cast<long>(a[j]) * 3;
    sums[i] = sum;
  }
}
