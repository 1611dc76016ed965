// With fewer than three rows nothing runs: no array has memory on a GPU, and none shares it with another.
// expect: corrected 0

void arrays_without_memory(long k, long rows, const double *w, const double *a, double *out, double *o) {
  for (long i = 2; i < rows; i++) {
    for (long p = 0; p < k; p++) out[2 * p] = w[i * k + p] * 0.25;
    for (long j = 0; j < rows; j++) {
      double sum = 1.0;
      for (long r = 0; r < rows; r++) sum += a[j * rows + r] * 0.125;
      o[j * k + i] += sum;
    }
  }
}
