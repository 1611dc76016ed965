// Rows one element further apart than they are long.
// expect: corrected 0 in 1 kernel

void padded_pitch(int n, const float *x, float *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) y[i * (n + 1) + j] = 2.0f * x[i * (n + 1) + j];
}
