// Densities of particles with a smoothing kernel that vanishes outside its radius.
#include <cmath>

static inline double poly6(double r2, double h) {
  if (r2 > h * h) return 0.0;
  const double d = h * h - r2;
  return 315.0 / (64.0 * M_PI * std::pow(h, 9)) * d * d * d;
}

void sph_density(const double (*pos)[3], const double *mass, double *rho, int n, double h) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
      double r2 = 0;
      for (int k = 0; k < 3; k++) {
        double d = pos[i][k] - pos[j][k];
        r2 += d * d;
      }
      sum += mass[j] * poly6(r2, h);
    }
    rho[i] = sum;
  }
}
