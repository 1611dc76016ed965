// A helper that returns from within its loops, one in the other.
// expect: kept; left: a return before the end
static int first_pair(const float (*x)[16], int row, float least) {
  for (int i = 0; i < 15; i++) {
    if (x[row][i] < 0) return -1;
    for (int j = i + 1; j < 16; j++)
      if (x[row][i] * x[row][j] > least) return i * 16 + j;
  }
  return 256;
}
void return_within_a_loop(const float (*x)[16], int *found, float least, int n) {
  for (int r = 0; r < n; r++) found[r] = 2 * first_pair(x, r, least) + 1;
}
