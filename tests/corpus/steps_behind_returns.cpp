// A loop without an end returns, and what it does behind each turn is not done then.
// expect: kept; left: the loop does not set its variable

static int grown(float x, float limit, float *trail) {
  int count = 0;
  for (;; ++count, trail[0] += 1) {
    if (x > limit) return count;
    x = 2 * x * x + 1;
  }
  return -1;
}

void steps_behind_returns(const float *x, float *y, int *count, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = 0;
    count[i] = grown(x[i], 8.0f, y + i);
  }
}
