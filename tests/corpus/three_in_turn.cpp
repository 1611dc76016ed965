// Three rows that change places in each step, as assignments say: what was the next one is the present one.
// expect: moved
void three_in_turn(float *before, float *now, float *next, int n, int steps, float k) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) next[i] = 2 * now[i] - before[i] + k * (now[i + 1] - 2 * now[i] + now[i - 1]);
    float *oldest = before;
    before = now;
    now = next;
    next = oldest;
  }
}
