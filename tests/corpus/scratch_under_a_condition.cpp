// Memory is asked for behind an early end: where its size is negative, the source's own text runs.
// expect: corrected 0 in 1 kernel
#include <vector>

void scratch_under_a_condition(const std::vector<float> &x, float *y, int m) {
  if (x.empty()) return;
  std::vector<float> scaled(m);
  for (int j = 0; j < m; j++) scaled[j] = x[0] * j;
  for (int j = 0; j < m; j++) y[j] = scaled[j] + 1;
}
