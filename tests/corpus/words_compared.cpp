// Numbers of 64 bits without a sign that may be 2^63 and more: compared, divided, and as floating-point numbers.
// expect: corrected 0
#include <algorithm>
#include <cstdint>

void words_compared(const std::uint64_t *a, const std::uint64_t *b, int n, std::uint64_t *least, std::uint64_t *most,
                    std::uint64_t *within, double *ratio, float *rounded) {
  for (int i = 0; i < n; ++i) {
    least[i] = std::min(a[i], b[i]);
    most[i] = std::max({a[i], b[i], std::uint64_t{7}});
    within[i] = std::clamp(a[i], std::uint64_t{3}, b[i] | 3) + (a[i] > b[i] ? a[i] / (b[i] | 1) : a[i] % (b[i] | 1));
    ratio[i] = static_cast<double>(a[i]) / static_cast<double>(b[i] | 1);
    rounded[i] = static_cast<float>(a[i]);
  }
}
