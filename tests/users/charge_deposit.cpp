// Charges of particles laid on the nearest cells.
void charge_deposit(const float *x, const float *q, float *rho, int particles, int cells, float inv_dx) {
  for (int c = 0; c < cells; c++) rho[c] = 0;
  for (int p = 0; p < particles; p++) {
    int cell = (int)(x[p] * inv_dx);
    if (cell >= 0 && cell < cells) rho[cell] += q[p];
  }
}
