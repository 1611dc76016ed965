// Rows in groups, one behind the other, each times the matrix of its group; the place within a group is counted.
// expect: corrected 0 in 1 kernel

void rows_grouped(int groups, int n, int m, const int *__restrict begin, const float *__restrict x,
                  const float *__restrict w, float *__restrict y) {
  for (int g = 0; g < groups; g++) {
    const int first = begin[g], count = begin[g + 1] - first;
    for (int i = 0; i < count; i++)
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int k = 0; k < m; k++) sum += x[(first + i) * m + k] * w[(g * m + k) * n + j];
        y[(first + i) * n + j] = sum;
      }
  }
}
