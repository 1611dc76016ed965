#include <cmath>

void reduction(int n, const float *x, float *out) {
  float top = -INFINITY;
  for (int j = 0; j < n; j++) top = std::fmax(top, x[j] * x[j]);
  out[0] = top;
}
