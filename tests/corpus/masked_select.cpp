// The mask is a select to minus infinity inside the maximum and the sums.
// expect: corrected 2
#include <cmath>

void masked_select(int n, const float s[300][300], const float v[300], float *out) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY;
    for (int j = 0; j < n; j++) m = std::fmax(m, j <= i ? s[i][j] : -INFINITY);
    float l = 0, o = 0;
    for (int j = 0; j < n; j++) l += std::exp((j <= i ? s[i][j] : -INFINITY) - m);
    for (int j = 0; j < n; j++) o += std::exp((j <= i ? s[i][j] : -INFINITY) - m) * v[j];
    out[i] = o / l;
  }
}
