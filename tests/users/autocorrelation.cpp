// Autocorrelations at many lags, normalised by the first.
#include <vector>

void autocorrelation(const std::vector<float> &x, std::vector<float> &r, int max_lag) {
  const int n = x.size();
  for (int lag = 0; lag < max_lag; ++lag) {
    float s = 0;
    for (int i = 0; i < n - lag; ++i) s += x[i] * x[i + lag];
    r[lag] = s;
  }
  const float r0 = r[0];
  if (r0 == 0) return;
  for (int lag = 0; lag < max_lag; ++lag) r[lag] /= r0;
}
