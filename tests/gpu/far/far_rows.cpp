// Rows 2^28 elements apart: a handful of them reaches beyond 2^31 and 2^32 elements.
#include <cmath>

constexpr long pitch = 268435456;

void far_product(int n, int m, const __bf16 x[][pitch], const __bf16 w[][pitch], float y[][pitch]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int p = 0; p < 96; p++) s += (float)x[i][p] * (float)w[j][p];
      y[i][j] = s;
    }
}

void far_weights(int n, const __bf16 q[][pitch], const __bf16 k[][pitch], const __bf16 v[][pitch], __bf16 o[][pitch]) {
  for (int i = 0; i < n; i++) {
    float s[64], m = -INFINITY, l = 0;
    for (int j = 0; j <= i; j++) {
      float t = 0;
      for (int e = 0; e < 64; e++) t += (float)q[i][e] * (float)k[j][e];
      s[j] = t * 0.125f;
      m = std::fmax(m, s[j]);
    }
    for (int j = 0; j <= i; j++) l += std::exp(s[j] - m);
    for (int e = 0; e < 64; e++) {
      float a = 0;
      for (int j = 0; j <= i; j++) a += (float)(__bf16)std::exp(s[j] - m) * (float)v[j][e];
      o[i][e] = (__bf16)(a / l);
    }
  }
}
