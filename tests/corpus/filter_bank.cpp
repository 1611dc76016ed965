// A complex matrix of filters times a signal: sums of products of complex numbers.
// expect: corrected 0
#include <complex>

void filter_bank(const std::complex<float> *filters, const std::complex<float> *signal, std::complex<float> *out,
                 int bands, int taps) {
  for (int b = 0; b < bands; ++b) {
    std::complex<float> sum = 0;
    for (int t = 0; t < taps; ++t) sum += filters[b * taps + t] * signal[t];
    out[b] = sum;
  }
}
