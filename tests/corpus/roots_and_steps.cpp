// A loop that ends by its data leaves two numbers: it is called once for all that needs them.
// expect: corrected 0 in 2 kernels
#include <cmath>

double roots_and_steps(int n, const double *a, double *root, int *steps) {
  double total = 0;
  for (int i = 0; i < n; i++) {
    const double v = 1 + a[i] * a[i];
    double x = v;
    int k = 0;
    for (; k < 40; k++) {
      const double next = 0.5 * (x + v / x);
      if (std::abs(next - x) < 1e-12 * x) break;
      x = next;
    }
    root[i] = x;
    steps[i] = k;
    total += x * k;
  }
  return total;
}
