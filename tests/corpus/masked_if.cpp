// The mask is an if around each update; keys run backwards.
// expect: corrected 2
#include <cmath>

void masked_if(int n, const float s[300][300], const float v[300], float *out) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, l = 0, o = 0;
    for (int j = n - 1; j >= 0; j--)
      if (j <= i) m = std::fmax(m, s[i][j]);
    for (int j = n - 1; j >= 0; j--)
      if (j <= i) {
        l += std::exp(s[i][j] - m);
        o += std::exp(s[i][j] - m) * v[j];
      }
    out[i] = o / l;
  }
}
