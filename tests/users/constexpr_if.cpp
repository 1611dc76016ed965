// An activation chosen at compile time.
// options: --entry='constexpr_if<Act::Silu>'
#include <cmath>

enum class Act { None, Relu, Silu };

template <Act A> void constexpr_if(const float *x, const float *bias, float *y, int n, int m) {
  for (int i = 0; i < n * m; ++i) {
    const float v = x[i] + bias[i % m];
    if constexpr (A == Act::Relu)
      y[i] = v > 0 ? v : 0;
    else if constexpr (A == Act::Silu)
      y[i] = v / (1 + std::exp(-v));
    else
      y[i] = v;
  }
}
