// Which of two accesses reaches farther depends on the size, and on its bits.
// expect: corrected 0
void bits_beside_a_diagonal(long n, const float *z, float *y) {
  for (long l = 3; l < n; l++) y[l] = (z[l * 64 + (l & 6)] - z[(l - 3) * 64 + l]) * 0.25f;
}
