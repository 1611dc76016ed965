// Neighbours exchanged by their number's last bits, and rows counted in eights.
// expect: corrected 0
void butterflies(int rows, int columns, const float *x, float *y, float *z) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < (columns & ~7); j++) {
      y[i * columns + j] = x[i * columns + (j ^ 1)] - x[i * columns + (j ^ 4)];
      z[i * columns + j] = (j & 4) != 0 ? x[i * columns + (j | 1)] : -x[i * columns + (j & ~1)];
    }
  }
}
