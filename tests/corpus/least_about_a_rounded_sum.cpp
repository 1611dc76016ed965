// The least distance from a value that the source rounds: where all elements are far from zero it is zero there, and a
// distance of parts of that value is not.
// expect: corrected 1 in 1 kernel; refused: the sign of the factor
void least_about_a_rounded_sum(int n, int columns, const float *a, float *least, float *most) {
  for (int t = 0; t < n; t++) {
    float sum = 0.0f;
    for (int i = 0; i < columns; i++) sum += a[t * columns + i];
    float beyond = sum + 1.0f;
    float low = 1e30f;
    for (int i = 0; i < columns; i++) low = a[t * columns + i] - beyond < low ? a[t * columns + i] - beyond : low;
    float share = -1000.0f;
    for (int i = 0; i < columns; i++)
      share = (a[t * columns + i] - beyond) / low > share ? (a[t * columns + i] - beyond) / low : share;
    least[t] = low;
    most[t] = share;
  }
}
