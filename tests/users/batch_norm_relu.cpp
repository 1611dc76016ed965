// Batch normalisation at inference with a rectifier, over a four-dimensional view.
#include <algorithm>
#include <cmath>

template <typename T> class Tensor4D {
public:
  Tensor4D(T *data, int n, int c, int h, int w) : data_(data), n_(n), c_(c), h_(h), w_(w) {}
  T &operator()(int n, int c, int h, int w) { return data_[((n * c_ + c) * h_ + h) * w_ + w]; }
  const T &operator()(int n, int c, int h, int w) const { return data_[((n * c_ + c) * h_ + h) * w_ + w]; }
  int n() const { return n_; }
  int c() const { return c_; }
  int h() const { return h_; }
  int w() const { return w_; }

private:
  T *data_;
  int n_, c_, h_, w_;
};

void batch_norm_relu(Tensor4D<float> &out, const Tensor4D<float> &in, const float *mean, const float *var,
                     const float *gamma, const float *beta) {
  constexpr float eps = 1e-5f;
  for (int n = 0; n < in.n(); ++n)
    for (int c = 0; c < in.c(); ++c) {
      const float inv = gamma[c] / std::sqrt(var[c] + eps);
      for (int h = 0; h < in.h(); ++h)
        for (int w = 0; w < in.w(); ++w) out(n, c, h, w) = std::max(0.0f, (in(n, c, h, w) - mean[c]) * inv + beta[c]);
    }
}
