// A normalised exponential of each row, by the standard's algorithms.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

void softmax_standard(const std::vector<float> &logits, std::vector<float> &p, std::size_t rows, std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *row = logits.data() + r * columns;
    float *out = p.data() + r * columns;
    const float top = *std::max_element(row, row + columns);
    std::transform(row, row + columns, out, [top](float v) { return std::exp(v - top); });
    const float sum = std::accumulate(out, out + columns, 0.0f);
    std::for_each(out, out + columns, [&](float &v) { v /= sum; });
  }
}
