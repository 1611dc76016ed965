// Where a row ends is a choice of two numbers, one of which is read.
// expect: corrected 0
void ends_by_choice(const float *x, const int *length, float *y, int n, int m, int cap) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    const int end = length[i] > cap ? cap : length[i] + 1;
    for (int k = 0; k < end; k++) s += x[i * m + k];
    y[i] = s;
  }
}
