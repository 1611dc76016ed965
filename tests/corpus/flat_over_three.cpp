// One loop runs over a product of three sizes, which may not fit 64 bits.
// expect: corrected 0
#include <cstddef>

void flat_over_three(std::size_t n, std::size_t h, std::size_t w, std::size_t c, float *v, const float *mean) {
  for (std::size_t p = 0; p < n * h * w; ++p)
    for (std::size_t k = 0; k < c; ++k) v[p * c + k] -= mean[k];
}
