// A convolution with stride and padding, borders tested inside.
#include <vector>

void conv2d_padded(const std::vector<float> &input, const std::vector<float> &kernel, const std::vector<float> &bias,
                   std::vector<float> &output, int in_c, int in_h, int in_w, int out_c, int k, int stride, int pad) {
  const int out_h = (in_h + 2 * pad - k) / stride + 1;
  const int out_w = (in_w + 2 * pad - k) / stride + 1;
  for (int oc = 0; oc < out_c; ++oc) {
    for (int oh = 0; oh < out_h; ++oh) {
      for (int ow = 0; ow < out_w; ++ow) {
        float acc = bias[oc];
        for (int ic = 0; ic < in_c; ++ic) {
          for (int kh = 0; kh < k; ++kh) {
            const int ih = oh * stride - pad + kh;
            if (ih < 0 || ih >= in_h) continue;
            for (int kw = 0; kw < k; ++kw) {
              const int iw = ow * stride - pad + kw;
              if (iw < 0 || iw >= in_w) continue;
              acc += input[(ic * in_h + ih) * in_w + iw] * kernel[((oc * in_c + ic) * k + kh) * k + kw];
            }
          }
        }
        output[(oc * out_h + oh) * out_w + ow] = acc;
      }
    }
  }
}
