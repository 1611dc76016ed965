// expect: corrected 2
// Shares of a row of halves, each times a denormal: the products alone underflow, the source's, made of shares, do not.
#include <cmath>
#include <cstddef>

void share_of_tiny_elements(std::size_t rows, std::size_t width, const _Float16 *weights, const float *tiny,
                            float *out) {
  for (std::size_t j = 0; j < rows; ++j) {
    float most = 0;
    for (std::size_t at = 0; at < width; ++at) most = std::fmax(most, (float)weights[j * width + at]);
    float share = 0;
    for (std::size_t at = 0; at < width; ++at) share += (float)weights[j * width + at] * std::log(most + 1.0f) / most;
    float sum = 0;
    for (std::size_t at = 0; at < width; ++at) sum += (float)weights[j * width + at] / share * tiny[at];
    out[j] = sum / share;
  }
}
