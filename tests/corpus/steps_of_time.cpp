// Payments at times that a floating-point number steps through.
// expect: kept

void steps_of_time(const double *rate, double *value, int n, double first, double end, double step) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (double t = first; t < end; t += step + 0.5) sum += rate[i] / (1 + rate[i] * rate[i] * t);
    value[i] = sum;
  }
}
