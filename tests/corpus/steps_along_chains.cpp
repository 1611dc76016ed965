// Each point follows a chain of its own, which the chain itself says.
// expect: kept

void steps_along_chains(int n, int steps, const int *__restrict next, const float *__restrict x, float *__restrict y) {
  for (int i = 0; i < n; i++) {
    int at = i;
    float sum = 0;
    for (int t = 0; t < steps; t++) {
      sum += x[at];
      at = next[at];
    }
    y[i] = sum;
  }
}
