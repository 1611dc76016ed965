// A logarithm of another library has other last bits, and they choose the element.
// expect: left: last bits may be others than the source's
#include <cmath>

void logarithm_chooses(int n, const float *x, const float *table, float *y) {
  for (int i = 0; i < n; i++) y[i] = table[static_cast<int>(std::log2(x[i]))];
}
