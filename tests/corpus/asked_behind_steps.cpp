// A do loop asks for data behind its step: of the next element.
// expect: kept: what ends the loop is a recurrence
void copied_until(int *__restrict y, const int *__restrict x, int n, int m) {
  for (int i = 0; i < n; ++i) {
    int j = 0;
    do {
      y[i * m + j] = x[i * m + j] + 1;
      j++;
    } while (j < m && x[i * m + j] > 0);
  }
}

void asked_behind_steps(int *__restrict y, const int (*__restrict x)[16], int n) {
  for (int i = 0; i < n; ++i) {
    int j = 0, c = 0;
    do {
      c += x[i][j];
      ++j;
    } while (j < 16 && x[i][j] > 0);
    y[i] = c * 100 + j;
  }
}
