#ifndef __aarch64__
#error "this source is for another machine"
#endif
#if __cplusplus != 201703L
#error "the standard is not the project's"
#endif
static_assert(static_cast<char>(-1) < 0, "a compile option is not seen");

#include <cmath>

void scale(long n, const float *x, float *y) {
  for (long i = 0; i < n; ++i) y[i] = FACTOR * std::sqrt(x[i]);
}
