// A small product over arrays of arrays, batched.
#include <array>
#include <vector>

using Mat4 = std::array<std::array<float, 4>, 4>;

void array_of_arrays(const std::vector<Mat4> &a, const std::vector<Mat4> &b, std::vector<Mat4> &c) {
  for (std::size_t n = 0; n < a.size(); ++n)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        float s = 0;
        for (int k = 0; k < 4; ++k) s += a[n][i][k] * b[n][k][j];
        c[n][i][j] = s;
      }
}
