// What is multiplied by nothing is no number where it is infinite: it may not cancel, as the maximum passes over it.
// expect: corrected 0 in 2 kernels; refused: cancels
#include <cmath>

float times_nothing(int n, const float *x) {
  float all = 0.0f;
  for (int i = 0; i < n; ++i) {
    float top = 0.0f;
    for (int j = 0; j < n; ++j) top = std::fmax(top, std::abs(x[i * n + j] * (float)((7 * i + 14 * j) % 7)));
    float sum = 0.0f;
    for (int j = 0; j < n; ++j) {
      const float away = x[i * n + j] * (float)((7 * i + 14 * j) % 7) - top;
      sum += away * away;
    }
    all += sum;
  }
  return all;
}
