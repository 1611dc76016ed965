// A function returns several numbers of a direction, which another one makes of a vector or says where there is none.
// expect: corrected 0 in 1 kernel
#include <array>
#include <cmath>

struct Direction {
  float x, y, z;
};

static Direction unit(Direction v) {
  const float length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  if (length <= 0) return {0, 0, 1};
  return length < 1e-3f ? Direction{1, 0, 0} : Direction{v.x / length, v.y / length, v.z / length};
}

static std::array<float, 4> basis(const Direction &d) { return {0.28f, 0.49f * d.y, 0.49f * d.z, 0.49f * d.x}; }

void basis_returned(const Direction *normals, const float *light, float *out, int n) {
  for (int i = 0; i < n; i++) {
    const auto b = basis(unit(normals[i]));
    float s = 0;
    for (int k = 0; k < 4; k++) s += b[k] * light[k];
    out[i] = s;
  }
}
