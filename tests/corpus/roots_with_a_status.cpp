// A helper that returns a structure with a status from within its loop, and chooses which end of a range it moves.
// expect: kept; left: a return before the end of the
#include <cmath>

enum class Ended : unsigned char { Found, Outside, Unsettled };
struct Root {
  double at;
  Ended how;
  int turns;
};
struct Slope {
  double value, slope;
};
static double half_turn(double x) {
  static const double factor = 1.0 / std::sqrt(2.0 * 3.25);
  return factor * x;
}
static Slope line(double c, double x) { return {x * x * x - c, half_turn(3.0 * x * x)}; }
static Root root(double c) {
  if (c < 0.0) return {0.0, Ended::Outside, 0};
  double low = 0.0, high = 4.0, x = 1.0;
  for (int turn = 0; turn < 24; ++turn) {
    const auto [v, s] = line(c, x);
    if (std::fabs(v) < 1e-3) return {x, Ended::Found, turn};
    (v > 0 ? high : low) = x;
    double next = s > 1e-12 ? x - v / s : low;
    if (next <= low || next >= high) next = 0.5 * (low + high);
    x = next;
  }
  return {x, Ended::Unsettled, 24};
}
void roots_with_a_status(int n, const double *c, double *at, int *how) {
  for (int i = 0; i < n; i++) {
    const Root r = root(c[i]);
    at[i] = r.at;
    how[i] = r.how == Ended::Found ? r.turns : r.how == Ended::Outside ? -1 : -2;
  }
}
