// Sums that are scaled from one extreme to the next, as the source goes: they are what they are at the last one.
// expect: corrected 5
#include <algorithm>
#include <cmath>

void lse_scalar(const float *x, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -INFINITY, l = 0;
    for (int j = 0; j < n; j++) {
      const float old = m;
      m = std::max(m, x[r * n + j]);
      l = l * std::exp(old - m) + std::exp(x[r * n + j] - m);
    }
    y[r] = m + std::log(l);
  }
}

void lse_lazy(const float *x, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    double m = -1e30, l = 0;
    for (int j = 0; j < n; j++) {
      const double s = x[r * n + j];
      if (s > m) {
        l *= std::exp(m - s);
        m = s;
      }
      l += std::exp(s - m);
    }
    y[r] = m + std::log(l);
  }
}

void lse_branches(const float *x, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -INFINITY, l = 0;
    for (int j = 0; j < n; j++) {
      const float s = x[r * n + j];
      if (s > m) {
        l = l * std::exp(m - s) + 1.0f;
        m = s;
      } else {
        l += std::exp(s - m);
      }
    }
    y[r] = m + std::log(l);
  }
}

void smallest(const double *x, const double *w, double *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    double least = 1e300, z = 0, first = 0;
    for (int j = 0; j < n; j++) {
      const double next = std::min(least, x[r * n + j]);
      const double f = std::exp2(next - least), g = std::exp2(next - x[r * n + j]);
      z = f * z + g;
      first = first * f + g * w[j];
      least = next;
    }
    y[r] = first / z;
  }
}
