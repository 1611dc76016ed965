// A helper lambda with a loop of its own, and auto throughout.
#include <cmath>
#include <cstddef>

void nested_lambda_tile(const double *a, double *out, std::size_t n, std::size_t m) {
  auto row_norm = [&](auto i) {
    double s = 0;
    for (std::size_t j = 0; j < m; ++j) s += a[i * m + j] * a[i * m + j];
    return std::sqrt(s);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const auto norm = row_norm(i);
    for (auto j = std::size_t{0}; j < m; ++j) out[i * m + j] = norm > 0 ? a[i * m + j] / norm : 0;
  }
}
