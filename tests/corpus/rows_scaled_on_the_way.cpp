// Rows of a product of products, each at its running extreme, on matrix units.
// expect: corrected 2 in 1 kernel
#include <algorithm>
#include <cmath>
void rows_up_to_own(const __bf16 *Q, const __bf16 *K, const __bf16 *V, __bf16 *O, int n, int heads) {
  constexpr int D = 64;
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < n; i++) {
      float m = -INFINITY, l = 0, acc[D];
      for (int d = 0; d < D; d++) acc[d] = 0;
      for (int j = 0; j <= i; j++) {
        float s = 0;
        for (int d = 0; d < D; d++) s += float(Q[(h * n + i) * D + d]) * float(K[(h * n + j) * D + d]);
        s *= 0.125f;
        const float m_new = std::max(m, s);
        const float corr = std::exp(m - m_new), p = std::exp(s - m_new);
        l = l * corr + p;
        for (int d = 0; d < D; d++) acc[d] = acc[d] * corr + float(__bf16(p)) * float(V[(h * n + j) * D + d]);
        m = m_new;
      }
      for (int d = 0; d < D; d++) O[(h * n + i) * D + d] = __bf16(acc[d] / l);
    }
}
