// expect: corrected 3 in 1 kernel
// Logarithms of shares that differ by less than they are rounded by: the source's differences are 0 by luck.
#include <cmath>

void divergence_of_shares(int rows, int n, const float *p, const float *q, float *out) {
  for (int i = 0; i < rows; ++i) {
    float mp = p[i * n], mq = q[i * n];
    for (int c = 0; c < n; ++c) mp = std::fmax(mp, p[i * n + c]);
    for (int c = 0; c < n; ++c) mq = std::fmax(mq, q[i * n + c]);
    float sp = 0, sq = 0;
    for (int c = 0; c < n; ++c) sp += std::exp(p[i * n + c] - mp);
    for (int c = 0; c < n; ++c) sq += std::exp(q[i * n + c] - mq);
    float s = 0;
    for (int c = 0; c < n; ++c) {
      const float a = std::exp(p[i * n + c] - mp) / sp, b = std::exp(q[i * n + c] - mq) / sq;
      s += a * (std::log(a) - std::log(b));
    }
    out[i] = s;
  }
}
