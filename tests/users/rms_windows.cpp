// The level of consecutive blocks.
#include <cmath>
#include <cstddef>
#include <vector>

void rms_windows(const std::vector<float> &x, std::vector<float> &rms, std::size_t block) {
  const std::size_t blocks = x.size() / block;
  for (std::size_t b = 0; b < blocks; ++b) {
    float acc = 0.f;
    for (std::size_t i = b * block; i < (b + 1) * block; ++i) acc += x[i] * x[i];
    rms[b] = std::sqrt(acc / block);
  }
}
