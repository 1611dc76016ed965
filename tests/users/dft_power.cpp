// A naive Fourier transform and its power spectrum.
#include <cmath>
#include <vector>

void dft_power(const std::vector<double> &signal, std::vector<double> &power) {
  const std::size_t n = signal.size();
  for (std::size_t k = 0; k < n / 2 + 1; ++k) {
    double re = 0, im = 0;
    for (std::size_t t = 0; t < n; ++t) {
      const double angle = 2.0 * M_PI * k * t / n;
      re += signal[t] * std::cos(angle);
      im -= signal[t] * std::sin(angle);
    }
    power[k] = re * re + im * im;
  }
}
