// Euclid's algorithm for pairs of integers, whose remainders are those of what is not zero.
// expect: corrected 0

void greatest_divisors(const int *a, const int *b, int *divisor, int n) {
  for (int i = 0; i < n; ++i) {
    int x = a[i], y = b[i] & 1023;
    while (y != 0) {
      const int rest = x % y;
      x = y;
      y = rest;
    }
    divisor[i] = x;
  }
}
