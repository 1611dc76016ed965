// Kernels whose arguments may overlap, or are touched before the element that the pointer names.

void below(long n, long m, long k, const int *t, const double *x, double *y) {
  for (long i = 0; i < n; i++) y[i] = x[i - k] + 1;
}

void rows_below(long n, long m, long k, const int *t, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) y[i * m + j] = x[(i - k) * m + j] * 2;
}

void row_and_line(long n, long m, long k, const int *t, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) y[i * m + j] = x[i * m + j] + x[i];
}

void squares(long n, long m, long k, const int *t, const double *x, double *y) {
  for (long i = 0; i < n; i++) y[i] = x[i * i] + 1;
}

void outside(long n, long m, long k, const int *t, const double *x, double *y) {
  for (long i = 0; i < n; i++) y[i + k] = x[i + 2 * k] + 1;
}

void gathered(long n, long m, long k, const int *t, const double *x, double *y) {
  for (long i = 0; i < n; i++) y[i] = x[t[i]] + 1;
}

void gathered_rows(long n, long m, long k, const int *t, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) y[i * m + j] = x[t[i] * m + j] * 2;
}

void gathered_twice(long n, long m, long k, const int *t, const double *x, double *y) {
  for (long i = 0; i < n; i++) y[i] = x[t[t[i]] - k] + 1;
}

void row_less_target(long n, long m, long k, const int *t, const double *x, double *y) {
  for (long i = 0; i < n; i++) {
    double most = x[i * m], sum = 0;
    for (long j = 0; j < m; j++)
      if (x[i * m + j] > most) most = x[i * m + j];
    for (long j = 0; j < m; j++) sum += x[i * m + j] * 2;
    y[i] = most + sum - x[i * m + t[i]];
  }
}

void held_row(long n, long m, long k, const int *t, const double *x, double *y) {
  double held[1200];
  for (long i = n - 1; i >= 0; i -= 2) {
    for (long j = 0; j < 1200; j++) held[j] = x[t[i] + j % 5] + k;
    double sum = 0;
    for (long j = 0; j < 1200; j++) sum += held[j];
    y[i] = sum;
  }
}
