// The last row ends with the greater of two elements, not where the next one would begin.
// expect: corrected 0
void last_row_ends_elsewhere(int d, int h, float *__restrict acc) {
  for (int r = 0; r < 10; ++r) {
    float top = 0.0f;
    for (int p = d - 1; p >= 1; --p) top += acc[r * h + p];
    acc[r * h + r] += top;
  }
}
