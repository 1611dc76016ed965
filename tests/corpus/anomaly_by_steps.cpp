// Newton's steps end when they are short; the elements that they start from go in as numbers.
// expect: corrected 0 in 1 kernel
#include <cmath>

void anomaly_by_steps(int n, const double *mean, const double *eccentricity, double *out) {
  for (int i = 0; i < n; i++) {
    double e = mean[i];
    for (int k = 0; k < 20; k++) {
      const double d = (e - eccentricity[i] * std::sin(e) - mean[i]) / (1.5 - eccentricity[i] * std::cos(e));
      e -= d;
      if (std::fabs(d) < 1e-9) break;
    }
    out[i] = std::cos(e) - eccentricity[i];
  }
}
