// Forces by a small vector class with operators.
#include <cmath>

struct Vec3 {
  float x, y, z;
  Vec3 operator-(const Vec3 &o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vec3 operator*(float s) const { return {x * s, y * s, z * s}; }
  Vec3 &operator+=(const Vec3 &o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  float dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
};

void gravity_vec3(const Vec3 *pos, const float *mass, Vec3 *acc, int n) {
  for (int i = 0; i < n; ++i) {
    Vec3 a{0, 0, 0};
    for (int j = 0; j < n; ++j) {
      const Vec3 d = pos[j] - pos[i];
      const float r2 = d.dot(d) + 1e-3f;
      a += d * (mass[j] / (r2 * std::sqrt(r2)));
    }
    acc[i] = a;
  }
}
