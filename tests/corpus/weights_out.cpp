// The weights are an argument of the caller and stay visible; the weighted sum follows.
// expect: corrected 2
#include <cmath>

void weights_out(int n, const float s[200][200], const float v[200], float p[200][200], float o[200]) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, z = 0;
    for (int j = 0; j < n; j++) m = std::fmax(m, s[i][j]);
    for (int j = 0; j < n; j++) {
      p[i][j] = std::exp(s[i][j] - m);
      z += p[i][j];
    }
    for (int j = 0; j < n; j++) p[i][j] /= z;
    o[i] = 0;
    for (int j = 0; j < n; j++) o[i] += p[i][j] * v[j];
  }
}
