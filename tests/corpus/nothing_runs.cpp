// A loop whose range is empty leaves the initial value; another loop has two bounds.
// expect: corrected 0
#include <algorithm>

void nothing_runs(int n, int lo, int hi, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float s = 7.0f;
    for (int j = std::max(lo, i); j < std::min(hi, n); j++) s += x[j];
    y[i] = s;
  }
}
