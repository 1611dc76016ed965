// expect: corrected 0; left: no types that have a name where the template stands
// Templates that run what they are given: read where they are called, two passes as one.
#include <cstddef>

template <class F> static void each(std::size_t n, const float *x, float *y, F f) {
  for (std::size_t i = 0; i < n; i++) y[i] = f(x[i]);
}

void squared_and_shifted(std::size_t n, const float *__restrict x, float *__restrict y, float shift) {
  each(n, x, y, [](float v) { return v * v; });
  each(n, y, y, [shift](float v) { return v + shift; });
}
