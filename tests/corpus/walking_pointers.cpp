// Rows of a matrix times a vector, each element through a pointer that every turn moves on: it is where the turns
// of all loops around have brought it.
// expect: corrected 0

void walking_pointers(float *y, const float *a, const float *x, int n, int m) {
  for (; n > 0; --n) {
    const float *p = x;
    float s = 0;
    for (int j = 0; j < m; ++j) s += *a++ * *p++;
    *y++ = s;
  }
}
