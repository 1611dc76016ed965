// Helpers without a result that return from within their loops, and write what they are given by reference.
// expect: kept; left: a return before the end of the
static void first_above(const float (*x)[12], int row, float least, int &at, float &value) {
  for (int k = 0; k < 12; k++)
    if (x[row][k] > least) {
      at = k;
      value = x[row][k];
      return;
    }
  at = -1;
}
struct Window {
  float low = 0, high = 1;
  int moves = 0;
  void narrow(const float (*x)[12], int row) {
    for (int k = 0; k < 12; k++) {
      if (high - low < 0.125f) return;
      (x[row][k] > 0.5f * (low + high) ? low : high) = 0.5f * (low + high);
      ++moves;
    }
    moves += 100;
  }
};
void steps_left_by_helpers(int n, const float (*x)[12], int *at, float *value, float *width) {
  for (int i = 0; i < n; i++) {
    float found = -1;
    int where = 0;
    first_above(x, i, 0.75f, where, found);
    Window window;
    window.narrow(x, i);
    at[i] = where + 16 * window.moves;
    value[i] = found;
    width[i] = window.high - window.low;
  }
}
