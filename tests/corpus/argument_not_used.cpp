// An argument that the body does not use.
// expect: any
#include <cmath>

void argument_not_used(int n, float *x, float *scratch) {
  for (int i = 0; i < n; i++) x[i] = std::exp(x[i]);
}
