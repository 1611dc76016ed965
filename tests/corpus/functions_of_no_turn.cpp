// A function of elements is computed once for all turns of the outer loop, which begins with the third: where there is
// none, the array has no elements.
// expect: corrected 0
#include <cmath>

void functions_of_no_turn(int count, int d, const _Float16 (*table)[40], const float *v, float *y) {
  for (int i = 2; i < count; ++i)
    for (int l = 0; l < 18; ++l) {
      float low = 0.0f;
      for (int at = 0; at != d; ++at) low = std::fmax(low, (std::tanh(v[at]) - (v[i] + table[l + 2][at - 2])));
      y[l] = y[l] + low;
    }
}
