// Max pooling of odd images, windows cut at the border.
#include <algorithm>
#include <cfloat>

void max_pool_ceil(const float *x, float *y, int C, int H, int W) {
  const int OH = (H + 1) / 2, OW = (W + 1) / 2;
  for (int c = 0; c < C; c++) {
    for (int oh = 0; oh < OH; oh++) {
      for (int ow = 0; ow < OW; ow++) {
        float best = -FLT_MAX;
        for (int kh = 0; kh < 2; kh++) {
          for (int kw = 0; kw < 2; kw++) {
            int ih = oh * 2 + kh, iw = ow * 2 + kw;
            if (ih < H && iw < W) best = std::max(best, x[(c * H + ih) * W + iw]);
          }
        }
        y[(c * OH + oh) * OW + ow] = best;
      }
    }
  }
}
