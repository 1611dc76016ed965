// A Gauss kernel in a constexpr array, pixels of a region of interest.
#include <array>
#include <cstddef>

struct Roi {
  const float *data;
  std::ptrdiff_t stride;
  int width, height;
  float operator()(int x, int y) const { return data[y * stride + x]; }
};

constexpr std::array<float, 5> kernel{1 / 16.f, 4 / 16.f, 6 / 16.f, 4 / 16.f, 1 / 16.f};

void gaussian_5x5(const Roi &in, float *out, std::ptrdiff_t out_stride) {
  for (int y = 2; y < in.height - 2; ++y)
    for (int x = 2; x < in.width - 2; ++x) {
      float sum = 0;
      for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i) sum += kernel[j + 2] * kernel[i + 2] * in(x + i, y + j);
      out[y * out_stride + x] = sum;
    }
}
