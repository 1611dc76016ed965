// Tuples and pairs: made, named by parts, asked by get, and tied to variables that were there before.
// expect: corrected 0
#include <tuple>
#include <utility>
static std::tuple<double, double, int> split(double x, double by) {
  if (by <= 0.5) return {x, 0.0, 0};
  const int times = x > by ? 2 : 1;
  return std::make_tuple(x / by, x - by, times);
}
static std::pair<float, int> larger(float a, float b) {
  return a > b ? std::pair<float, int>{a, 0} : std::pair<float, int>(b, 1);
}
void shares_tied(int n, const double *x, const double *y, const float *u, double *out, int *which) {
  for (int i = 0; i < n; i++) {
    const auto [share, rest, times] = split(x[i], y[i]);
    double a, b;
    int c;
    std::tie(a, b, c) = split(y[i], x[i]);
    const auto best = larger(u[i], u[i + 1]);
    const auto &[value, side] = best;
    out[i] = share + 2 * rest + a * b + std::get<0>(split(a, b)) + value;
    which[i] = times * 4 + c + side + std::get<1>(best);
  }
}
