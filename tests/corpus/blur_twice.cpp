// A blur of a blur; the first one goes to a local array larger than what is used.
// expect: corrected 0

void blur_twice(int n, const float x[500], float y[500]) {
  static float t[1000];
  for (int i = 1; i < n - 1; i++) t[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0f;
  for (int i = 2; i < n - 2; i++) y[i] = (t[i - 1] + t[i] + t[i + 1]) / 3.0f;
}
