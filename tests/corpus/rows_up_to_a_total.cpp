// The end of the last bag is a size, those of the others are read from an array.
// expect: corrected 0 in 1 kernel

void rows_up_to_a_total(int bags, int d, int total, const int *__restrict offset, const int *__restrict index,
                        const float *__restrict table, float *__restrict out) {
  for (int b = 0; b < bags; b++) {
    const int first = offset[b], end = b + 1 < bags ? offset[b + 1] : total;
    for (int j = 0; j < d; j++) {
      float sum = 0;
      for (int k = first; k < end; k++) sum += table[index[k] * d + j];
      out[b * d + j] = sum;
    }
  }
}
