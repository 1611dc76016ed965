// Products of matrices that structures hold as arrays of arrays, by an operator that makes one.
// expect: corrected 0; left: an operator is not supported
#include <array>
#include <span>

struct Matrix {
  std::array<std::array<float, 4>, 4> m{};
  Matrix operator*(const Matrix &other) const {
    Matrix result;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 4; ++k) result.m[i][j] += m[i][k] * other.m[k][j];
    return result;
  }
};

void matrices_of_structures(std::span<const Matrix> world, std::span<const Matrix> bind, std::span<Matrix> out) {
  for (std::size_t b = 0; b < world.size(); ++b) out[b] = world[b] * bind[b];
}
