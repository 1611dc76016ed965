// An argument that the body does not use.
// expect: corrected 0 in 1 kernel
#include <cmath>

void argument_not_used(int n, float *x, float *scratch) {
  for (int i = 0; i < n; i++) x[i] = std::exp(x[i]);
}
