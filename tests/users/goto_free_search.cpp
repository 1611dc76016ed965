// The first element above a threshold.
// left: a return before the end
int goto_free_search(const float *x, int n, float threshold) {
  for (int i = 0; i < n; i++)
    if (x[i] > threshold) return i;
  return -1;
}
