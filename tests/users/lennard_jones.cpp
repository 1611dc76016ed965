// Energies of pairs within a cutoff.
#include <vector>

double lennard_jones(const std::vector<double> &x, const std::vector<double> &y, const std::vector<double> &z,
                     double cutoff) {
  const double rc2 = cutoff * cutoff;
  double energy = 0.0;
  for (std::size_t i = 0; i < x.size(); i++) {
    for (std::size_t j = i + 1; j < x.size(); j++) {
      const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      const double r2 = dx * dx + dy * dy + dz * dz;
      if (r2 > rc2) continue;
      const double s6 = 1.0 / (r2 * r2 * r2);
      energy += 4.0 * (s6 * s6 - s6);
    }
  }
  return energy;
}
