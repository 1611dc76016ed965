// A finite impulse response, history before the first sample taken as zero.
#include <span>

void fir_filter(std::span<const float> x, std::span<const float> taps, std::span<float> y) {
  for (std::size_t n = 0; n < y.size(); ++n) {
    float acc = 0.0f;
    for (std::size_t k = 0; k < taps.size(); ++k)
      if (n >= k) acc += taps[k] * x[n - k];
    y[n] = acc;
  }
}
