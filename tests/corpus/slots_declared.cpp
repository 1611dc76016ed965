// Elements are added to where an array of indices says, no two of which are the same, as is declared.
// expect: corrected 0 in 1 kernel
#include <cmath>

#pragma polymend index injective(slot)
void slots_declared(int n, const int *slot, const float *__restrict x, float *__restrict y) {
  for (int i = 0; i < n; i++) y[slot[i]] += std::exp(x[i]);
}
