// Spectra multiplied point by point, std::complex.
#include <complex>
#include <vector>

void complex_multiply(const std::vector<std::complex<float>> &a, const std::vector<std::complex<float>> &b,
                      std::vector<std::complex<float>> &c) {
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = a[i] * b[i];
}
