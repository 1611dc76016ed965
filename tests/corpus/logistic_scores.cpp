// Scores from a logistic function, in double, over the elements up to the row's own; weights in base 2.
// expect: corrected 2
#include <cmath>

void logistic_scores(int len, const double *a, const double *c, double *r) {
  for (int p = 0; p < len; ++p) {
    double top = -INFINITY;
    for (int t = 0; t <= p; ++t) {
      const double g = 12.0 / (1.0 + std::exp(-a[p * len + t]));
      top = std::fmax(top, g);
    }
    double sum = 0.0, acc = 0.0;
    for (int t = 0; t <= p; ++t) {
      const double g = 12.0 / (1.0 + std::exp(-a[p * len + t]));
      const double w = std::exp2(g - top);
      sum += w;
      acc += w * c[t];
    }
    r[p] = acc / sum;
  }
}
