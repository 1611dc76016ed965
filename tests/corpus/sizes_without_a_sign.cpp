// A convolution whose sizes have no sign: how many windows fit is asked at entry, where it might wrap around.
// expect: corrected 0
#include <cstddef>

void sizes_without_a_sign(const float *x, std::size_t n, std::size_t k, std::size_t stride, const float *w, float *y) {
  const std::size_t windows = (n - k) / stride + 1;
  for (std::size_t i = 0; i < windows; ++i) {
    float s = 0;
    for (std::size_t j = 0; j < k; ++j) s += w[j] * x[i * stride + j];
    y[i] = s;
  }
}

void groups_of_channels(const float *x, unsigned n, unsigned pixels, unsigned channels, unsigned groups, float *y) {
  const unsigned width = channels / groups;
  for (unsigned ng = 0; ng < n * groups; ++ng) {
    const unsigned b = ng / groups, g = ng % groups;
    const std::size_t base = std::size_t(b) * pixels * channels + std::size_t(g) * width;
    float s = 0;
    for (unsigned p = 0; p < pixels; ++p)
      for (unsigned d = 0; d < width; ++d) s += x[base + std::size_t(p) * channels + d];
    y[ng] = s;
  }
}
