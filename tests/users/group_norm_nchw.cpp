// Group normalisation of images, groups known at run time.
#include <cmath>
#include <vector>

void group_norm_nchw(std::vector<float> &y, const std::vector<float> &x, const std::vector<float> &gamma,
                     const std::vector<float> &beta, int N, int C, int HW, int G, float eps = 1e-5f) {
  const int D = C / G;
  for (int n = 0; n < N; ++n) {
    for (int g = 0; g < G; ++g) {
      const float *xg = x.data() + (n * G + g) * D * HW;
      float *yg = y.data() + (n * G + g) * D * HW;
      float sum = 0, sumsq = 0;
      for (int i = 0; i < D * HW; ++i) {
        sum += xg[i];
        sumsq += xg[i] * xg[i];
      }
      const float mean = sum / (D * HW);
      const float rsig = 1 / std::sqrt(std::max(0.0f, sumsq / (D * HW) - mean * mean) + eps);
      for (int d = 0; d < D; ++d) {
        const int c = g * D + d;
        const float scale = gamma[c] * rsig, shift = beta[c] - mean * scale;
        for (int s = 0; s < HW; ++s) yg[d * HW + s] = xg[d * HW + s] * scale + shift;
      }
    }
  }
}
