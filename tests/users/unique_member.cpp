// A layer that owns its weights.
// function: Dense_forward
#include <algorithm>
#include <memory>

class Dense {
public:
  Dense(int in, int out) : in_(in), out_(out), w_(new float[in * out]), b_(new float[out]) {}
  void forward(const float *x, float *y, int batch) const {
    for (int n = 0; n < batch; ++n)
      for (int o = 0; o < out_; ++o) {
        float s = b_[o];
        for (int i = 0; i < in_; ++i) s += w_[o * in_ + i] * x[n * in_ + i];
        y[n * out_ + o] = std::max(s, 0.f);
      }
  }

private:
  int in_, out_;
  std::unique_ptr<float[]> w_, b_;
};
