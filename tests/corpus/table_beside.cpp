// A polynomial whose coefficients are a constant std::array beside the function, by a constexpr function.
// expect: kept: is a recurrence that is no reduction; left: nothing gained
#include <array>
#include <cstddef>

static constexpr std::array<double, 6> coefficients = {1.0, -0.5, 0.125, -0.0625, 0.25, -1.0};

template <std::size_t N> constexpr double horner(const std::array<double, N> &c, double x) {
  double r = c[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) r = r * x + c[i];
  return r;
}

void table_beside(const double *x, double *y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = horner(coefficients, x[i]);
}
