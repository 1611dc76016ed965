// A helper that calls itself is called as it stands.
// expect: corrected 0 in 2 kernels

static int common_divisor(int a, int b) { return b == 0 ? a : common_divisor(b, a % b); }

int common_divisors(int n, int m, int *out) {
  int total = 0;
  for (int i = 0; i < n; i++) {
    out[i] = common_divisor(i % 1024, m % 1024);
    total += common_divisor(i % 64, m % 64) % 8;
  }
  return total;
}
