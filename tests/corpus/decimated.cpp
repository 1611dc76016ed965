// Every so many samples filtered: the loop ends where a product of its variable reaches a length.
// expect: corrected 0
#include <cstddef>

void decimated(const float *x, std::size_t n, const float *h, std::size_t taps, std::size_t factor, float *y) {
  for (std::size_t m = 0; m * factor + taps <= n; ++m) {
    float s = 0;
    for (std::size_t k = 0; k < taps; ++k) s += h[taps - 1 - k] * x[m * factor + k];
    y[m] = s;
  }
}
