// Rows of which a length that is read says how much counts: nothing says that it stays within a row.
// expect: corrected 0 in 1 kernel

void rows_up_to_lengths(int batch, int most, const int *length, const float *__restrict x, float *__restrict y) {
  for (int b = 0; b < batch; b++) {
    float sum = 0;
    for (int j = 0; j < length[b]; j++) sum += x[b * most + j];
    y[b] = sum;
  }
}
