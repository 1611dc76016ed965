// The energy of spins on a torus.
int ising_energy(const signed char *spin, int L) {
  int e = 0;
  for (int i = 0; i < L; i++)
    for (int j = 0; j < L; j++) {
      const int right = spin[i * L + (j + 1) % L];
      const int down = spin[((i + 1) % L) * L + j];
      e -= spin[i * L + j] * (right + down);
    }
  return e;
}
