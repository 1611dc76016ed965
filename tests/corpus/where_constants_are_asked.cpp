// A constexpr function: where a constant is asked for, it still is one.
// expect: corrected 0
#include <cstddef>

constexpr void where_constants_are_asked(float *x, std::size_t n, float a) {
  for (std::size_t i = 0; i < n; i++) x[i] = x[i] * a + 1.0f;
}

constexpr int asked() {
  float v[3] = {1, 2, 3};
  where_constants_are_asked(v, 3, 2.0f);
  return static_cast<int>(v[2]);
}
static_assert(asked() == 7);
