// Parameters that are declared as arrays of 512 rows are pointers, whose callers may have fewer.
// expect: corrected 0 in 1 kernel

void rows_of_declared_arrays(int count, const float x[512][24], const float w[24], float y[512][24]) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < 24; j++) y[i][j] = x[i][j] * w[j];
}
