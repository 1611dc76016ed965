// Products, sums and differences in 64 bits of numbers of 32, with a sign and without: C++ would compute them in 32.
// expect: corrected 0 in 1 kernels

void words_of_ints(const int *a, const int *b, const unsigned *u, const short *s, long *product, long *mixed,
                   double *wide, int *less, int n) {
  for (int i = 0; i < n; i++) {
    product[i] = static_cast<long>(a[i]) * b[i] - static_cast<long>(s[i]) * a[i];
    mixed[i] = static_cast<long>(u[i]) - static_cast<long>(b[i]) + static_cast<long>(u[i]) * a[i];
    wide[i] = static_cast<double>(static_cast<long>(a[i]) + b[i]) - static_cast<double>(-static_cast<long>(a[i]));
    less[i] = (static_cast<long>(u[i]) < a[i]) + 2 * (static_cast<long>(u[i]) - 5 < 0);
  }
}
