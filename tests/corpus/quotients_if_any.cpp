// Optional numbers in all clothes: asked by if, by has_value, compared with nullopt, replaced, assigned and reset.
// expect: kept; left: a return before the end of the
#include <cmath>
#include <optional>

static std::optional<double> quotient(double a, double b) {
  if (b == 0.0) return {};
  if (a == b) return 1;
  return a / b;
}
static std::optional<float> nearest(const float (*x)[8], int row, float to) {
  for (int k = 0; k < 8; k++)
    if (std::fabs(x[row][k] - to) < 0.125f) return x[row][k];
  return std::nullopt;
}
void quotients_if_any(int n, const double *a, const double *b, const float (*x)[8], double *q, float *near,
                      double *kept) {
  for (int i = 0; i < n; i++) {
    if (auto one = quotient(a[i], b[i]); one && *one > 0.5)
      q[i] = *one;
    else
      q[i] = quotient(b[i], a[i]).value_or(-2);
    const std::optional<float> found = nearest(x, i, 0.5f);
    near[i] = found.has_value() ? *found * 2 : -1.f;
    std::optional<double> last;
    for (int k = 0; k < 8; k++) {
      if (x[i][k] > 0.25f) last = x[i][k];
      if (x[i][k] < -0.75f) last.reset();
      if (x[i][k] > 0.95f) last = std::nullopt;
      if (last != std::nullopt && *last > 0.5) *last -= 0.0625;
    }
    kept[i] = last == std::nullopt ? 0.0 : *last + (found ? 1.0 : 0.0);
  }
}
