// A whole-array reduction, returned: the stable logarithm of a sum of exponentials.
// expect: corrected 1
#include <cmath>

float returned(int n, const float *x) {
  float top = -INFINITY, s = 0;
  for (int i = 0; i < n; i++) top = std::fmax(top, x[i]);
  for (int i = 0; i < n; i++) s += std::exp(x[i] - top);
  return top + std::log(s);
}
