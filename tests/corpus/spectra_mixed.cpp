// Complex numbers as elements, locals and members: products, conjugates, real factors, sizes.
// expect: corrected 0
#include <complex>
#include <vector>

using Number = std::complex<double>;

void spectra_mixed(const std::vector<Number> &a, const std::vector<Number> &b, std::vector<Number> &mixed,
                   std::vector<double> &power, double gain) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Number product = a[k] * std::conj(b[k]);
    mixed[k] = product + gain * a[k] - b[k] / 2.0;
    power[k] = std::norm(product) + std::abs(a[k]) + b[k].imag();
  }
}
