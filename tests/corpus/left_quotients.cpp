// A quotient of complex numbers is computed by each library in its own way.
// expect: left: say it by their real and imaginary parts
#include <complex>

void left_quotients(const std::complex<double> *a, const std::complex<double> *b, std::complex<double> *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = a[i] / b[i];
}
