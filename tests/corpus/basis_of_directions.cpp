// Nine functions of a direction, returned as an array, and sums of them: which value is read where has more cases than
// are told apart, so that the order stays.
// expect: kept
#include <array>
#include <cmath>

struct Direction {
  float x, y, z;
};

static Direction unit(Direction v) {
  const float size = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  return size > 0 ? Direction{v.x / size, v.y / size, v.z / size} : Direction{0, 0, 1};
}

static std::array<float, 9> basisOf(const Direction &d) {
  return {0.28f,
          0.48f * d.y,
          0.48f * d.z,
          0.48f * d.x,
          1.09f * d.x * d.y,
          1.09f * d.y * d.z,
          0.31f * (3 * d.z * d.z - 1),
          1.09f * d.x * d.z,
          0.54f * (d.x * d.x - d.y * d.y)};
}

void basis_of_directions(const Direction *directions, const Direction *light, Direction *out, int n) {
  for (int i = 0; i < n; ++i) {
    const auto basis = basisOf(unit(directions[i]));
    Direction sum{0, 0, 0};
    for (int k = 0; k < 9; ++k) {
      sum.x += basis[k] * light[k].x;
      sum.y += basis[k] * light[k].y;
      sum.z += basis[k] * light[k].z;
    }
    out[i] = {std::fmax(sum.x, 0.0f), std::fmax(sum.y, 0.0f), std::fmax(sum.z, 0.0f)};
  }
}
