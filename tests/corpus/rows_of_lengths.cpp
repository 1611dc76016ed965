// A length that is read from an array, beside one that is a size.
// expect: corrected 0 in 1 kernel

void rows_of_lengths(int batch, int most, const int *length, const float *__restrict x, float *__restrict y) {
  for (int b = 0; b < batch; b++) {
    float sum = 0;
    for (int j = 0; j < most && j < length[b]; j++) sum += x[b * most + j];
    y[b] = sum;
  }
}
