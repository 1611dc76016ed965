// A remainder goes up and down, so that the ends of the loop say nothing of how far the table is read.
// expect: left: has no bounds that are known at entry

void remainder_times_a_half(int n, const float *table, float *y) {
  for (int i = 0; i < n; i++) y[i] = table[static_cast<int>((i % 9) * 0.5f)];
}
