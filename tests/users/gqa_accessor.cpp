// Grouped attention over accessors of run-time sizes and strides, ratio of heads taken from the sizes.
#include <cmath>
#include <cstdint>

template <typename T, int N> struct TensorAccessor {
  T *data;
  const int64_t *sizes_;
  const int64_t *strides_;
  int64_t size(int i) const { return sizes_[i]; }
};

struct View4 {
  float *data;
  int64_t sizes[4];
  int64_t strides[4];
  float &at(int64_t a, int64_t b, int64_t c, int64_t d) const {
    return data[a * strides[0] + b * strides[1] + c * strides[2] + d * strides[3]];
  }
};

void gqa_accessor(View4 out, View4 q, View4 k, View4 v, float *scratch) {
  const int64_t batch = q.sizes[0], heads = q.sizes[1], len = q.sizes[2], dim = q.sizes[3];
  const int64_t kv_len = k.sizes[2];
  const int64_t ratio = heads / k.sizes[1];
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t i = 0; i < len; ++i) {
        float m = -INFINITY;
        for (int64_t j = 0; j < kv_len; ++j) {
          float s = 0;
          for (int64_t d = 0; d < dim; ++d) s += q.at(b, h, i, d) * k.at(b, h / ratio, j, d);
          scratch[j] = s / std::sqrt(float(dim));
          m = std::fmax(m, scratch[j]);
        }
        float l = 0;
        for (int64_t j = 0; j < kv_len; ++j) l += std::exp(scratch[j] - m);
        for (int64_t d = 0; d < dim; ++d) {
          float acc = 0;
          for (int64_t j = 0; j < kv_len; ++j) acc += std::exp(scratch[j] - m) * v.at(b, h / ratio, j, d);
          out.at(b, h, i, d) = acc / l;
        }
      }
}
