// Loops that turn once whatever their bounds say: do loops, and rows of one element at least.
// expect: corrected 0
#include <algorithm>

void squares(int n, const float *x, float *y) {
  int i = 0;
  do {
    y[i] = x[i] * x[i];
  } while (++i < n);
}

void sums_of_rows(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    int j = 0;
    do {
      s += x[i * m + j];
      j++;
    } while (j < m);
    y[i] = s;
  }
}

void largest_of_rows(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float most = x[i * std::max(m, 1)];
    for (int j = 1; j < std::max(m, 1); j++) most = std::max(most, x[i * std::max(m, 1) + j]);
    y[i] = most;
  }
}
