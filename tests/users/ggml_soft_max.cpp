// ggml's softmax over rows with a scale, an optional mask and double sums.
#include <cmath>
#include <cstdint>

using ggml_float = double;

struct tensor {
  int64_t ne[4];
  size_t nb[4];
  float *data;
};

void ggml_soft_max(tensor *dst, const tensor *src0, const tensor *mask, float scale) {
  const int64_t ne00 = src0->ne[0];
  const int64_t nr = src0->ne[1];
  for (int64_t i1 = 0; i1 < nr; i1++) {
    const float *sp = src0->data + i1 * ne00;
    float *dp = dst->data + i1 * ne00;
    const float *mp = mask->data + i1 * ne00;
    float max = -INFINITY;
    for (int64_t i = 0; i < ne00; i++) {
      dp[i] = sp[i] * scale + mp[i];
      max = std::fmax(max, dp[i]);
    }
    ggml_float sum = 0.0;
    for (int64_t i = 0; i < ne00; i++) {
      const float val = expf(dp[i] - max);
      sum += (ggml_float)val;
      dp[i] = val;
    }
    sum = 1.0 / sum;
    for (int64_t i = 0; i < ne00; i++) dp[i] *= (float)sum;
  }
}
