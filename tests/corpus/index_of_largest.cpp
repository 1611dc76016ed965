// The position of the largest element of each row.
// expect: kept

void index_of_largest(int rows, int cols, const float *x, int *where) {
  for (int i = 0; i < rows; i++) {
    float m = x[i * cols];
    int k = 0;
    for (int j = 1; j < cols; j++)
      if (x[i * cols + j] > m) {
        m = x[i * cols + j];
        k = j;
      }
    where[i] = k;
  }
}
