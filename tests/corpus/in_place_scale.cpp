// A vector is scaled by its own largest magnitude, in place.
// expect: corrected 0
#include <cmath>

void in_place_scale(int n, float *x) {
  float m = 0;
  for (int i = 0; i < n; i++) m = std::fmax(m, std::fabs(x[i]));
  for (int i = 0; i < n; i++) x[i] = x[i] / m;
}
