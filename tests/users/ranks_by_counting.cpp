// The rank of each element, ties by position.
void ranks_by_counting(const float *x, int *rank, int n) {
  for (int i = 0; i < n; ++i) {
    int r = 0;
    for (int j = 0; j < n; ++j) r += (x[j] < x[i]) || (x[j] == x[i] && j < i);
    rank[i] = r;
  }
}
