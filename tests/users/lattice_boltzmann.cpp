// Collision of the D2Q9 lattice with constant tables.
constexpr int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr int ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr double wq[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

void lattice_boltzmann(const double *f, double *fout, int cells, double omega) {
  for (int c = 0; c < cells; c++) {
    double rho = 0, ux = 0, uy = 0;
    for (int q = 0; q < 9; q++) {
      rho += f[q * cells + c];
      ux += f[q * cells + c] * ex[q];
      uy += f[q * cells + c] * ey[q];
    }
    ux /= rho;
    uy /= rho;
    const double u2 = ux * ux + uy * uy;
    for (int q = 0; q < 9; q++) {
      const double eu = ex[q] * ux + ey[q] * uy;
      const double feq = rho * wq[q] * (1 + 3 * eu + 4.5 * eu * eu - 1.5 * u2);
      fout[q * cells + c] = f[q * cells + c] + omega * (feq - f[q * cells + c]);
    }
  }
}
