// A depthwise convolution by row pointers.
#include <cstddef>
#include <vector>
using std::size_t;

void depthwise_conv(const std::vector<float> &x, const std::vector<float> &w, std::vector<float> &y, size_t channels,
                    size_t height, size_t width) {
  for (size_t c = 0; c < channels; ++c) {
    const float *src = &x[c * height * width];
    const float *ker = &w[c * 9];
    float *dst = &y[c * height * width];
    for (size_t i = 1; i + 1 < height; ++i) {
      const float *r0 = src + (i - 1) * width;
      const float *r1 = src + i * width;
      const float *r2 = src + (i + 1) * width;
      for (size_t j = 1; j + 1 < width; ++j) {
        dst[i * width + j] = r0[j - 1] * ker[0] + r0[j] * ker[1] + r0[j + 1] * ker[2] + r1[j - 1] * ker[3] +
                             r1[j] * ker[4] + r1[j + 1] * ker[5] + r2[j - 1] * ker[6] + r2[j] * ker[7] +
                             r2[j + 1] * ker[8];
      }
    }
  }
}
