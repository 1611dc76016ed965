// Each body is pulled by all others: three sums share a root and a quotient, and leave out the body itself.
// expect: corrected 0 in 1 kernel
#include <cmath>

void pull_of_all_others(int n, const double *x, const double *y, const double *z, const double *mass, double soft,
                        double *fx, double *fy, double *fz) {
  for (int i = 0; i < n; i++) {
    double sx = 0, sy = 0, sz = 0;
    for (int j = 0; j < n; j++) {
      if (i == j) continue;
      const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const double square = dx * dx + dy * dy + dz * dz + soft;
      const double pull = mass[j] / (square * std::sqrt(square));
      sx += pull * dx;
      sy += pull * dy;
      sz += pull * dz;
    }
    fx[i] = sx;
    fy[i] = sy;
    fz[i] = sz;
  }
}
