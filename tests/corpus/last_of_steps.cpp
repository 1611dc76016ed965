// Of steps of three the last that reaches an element of eight is stored: below nine there is one element, and its place
// says nothing of the step.
// expect: corrected 0
void last_of_steps(int n, int k, const float *__restrict left, _Float16 *__restrict y, float scale) {
  for (int e = 0; e <= n - 2; e += 3)
    for (int r = 0; r <= k - 2; ++r) {
      float norm = 1.0f;
      for (int j = 0; j < k; ++j) norm += scale * left[j] - (e >= 4 && e < 8 ? left[j + 1] : left[j]);
      y[e & ~7] = (_Float16)norm;
    }
}
