// Norm, product, activation, product, residual: kernels called one after another over buffers in a struct.
#include <cmath>
#include <vector>

struct Buffers {
  std::vector<float> norm, hidden, out;
};

static void rms_norm(std::vector<float> &y, const std::vector<float> &x, const std::vector<float> &w, int rows,
                     int dim) {
  for (int r = 0; r < rows; ++r) {
    float ss = 0;
    for (int i = 0; i < dim; ++i) ss += x[r * dim + i] * x[r * dim + i];
    const float inv = 1.0f / std::sqrt(ss / dim + 1e-6f);
    for (int i = 0; i < dim; ++i) y[r * dim + i] = x[r * dim + i] * inv * w[i];
  }
}

static void linear(std::vector<float> &y, const std::vector<float> &x, const std::vector<float> &w, int rows, int in,
                   int out) {
  for (int r = 0; r < rows; ++r)
    for (int o = 0; o < out; ++o) {
      float s = 0;
      for (int i = 0; i < in; ++i) s += x[r * in + i] * w[o * in + i];
      y[r * out + o] = s;
    }
}

static void gelu(std::vector<float> &x, int n) {
  for (int i = 0; i < n; ++i) x[i] = 0.5f * x[i] * (1 + std::erf(x[i] * 0.70710678f));
}

void transformer_mlp(std::vector<float> &x, const std::vector<float> &w, const std::vector<float> &up,
                     const std::vector<float> &down, Buffers &buf, int rows, int dim, int hidden) {
  rms_norm(buf.norm, x, w, rows, dim);
  linear(buf.hidden, buf.norm, up, rows, dim, hidden);
  gelu(buf.hidden, rows * hidden);
  linear(buf.out, buf.hidden, down, rows, hidden, dim);
  for (int i = 0; i < rows * dim; ++i) x[i] += buf.out[i];
}
