// How many elements of each row are positive.
// expect: corrected 0
void positive_in_rows(const float *x, int *count, int rows, int cols) {
  for (int i = 0; i < rows; i++) {
    int c = 0;
    for (int j = 0; j < cols; j++)
      if (x[i * cols + j] > 0) c++;
    count[i] = c;
  }
}
