// A gradient scaled down where its norm is too great.
#include <cmath>

void clip_by_norm(float *grad, std::size_t n, float max_norm) {
  double norm2 = 0;
  for (std::size_t i = 0; i < n; ++i) norm2 += double(grad[i]) * grad[i];
  const double norm = std::sqrt(norm2);
  if (norm > max_norm) {
    const float scale = float(max_norm / (norm + 1e-6));
    for (std::size_t i = 0; i < n; ++i) grad[i] *= scale;
  }
}
