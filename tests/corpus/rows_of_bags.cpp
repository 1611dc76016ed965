// Sums of rows of a table, each over the rows that its bag names.
// expect: corrected 0 in 1 kernel

void rows_of_bags(int bags, int d, const int *offset, const int *index, const float *__restrict table,
                  float *__restrict out) {
  for (int b = 0; b < bags; b++)
    for (int j = 0; j < d; j++) {
      float sum = 0;
      for (int k = offset[b]; k < offset[b + 1]; k++) sum += table[index[k] * d + j];
      out[b * d + j] = sum;
    }
}
