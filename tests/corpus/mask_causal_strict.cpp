// The mask leaves the first row nothing: its weights are NaN, and stay so.
// expect: corrected 2
#include <cmath>

void mask_causal_strict(int n, const float s[300][300], const float v[300], float *out, float *logs) {
  for (int i = 0; i < n; i++) {
    float p[300], m = -INFINITY, l = 0, o = 0;
    for (int j = 0; j < n; j++) {
      p[j] = j < i ? s[i][j] : -INFINITY;
      m = std::fmax(m, p[j]);
    }
    for (int j = 0; j < n; j++) l += std::exp(p[j] - m);
    for (int j = 0; j < n; j++) o += std::exp(p[j] - m) * v[j];
    logs[i] = m + std::log(l);
    out[i] = o / l;
  }
}
