// A short bar in each row is heated on until no cell moves by much, at most so many times.
// expect: kept
#include <cmath>

void heat_until_even(float (*bars)[6], int *steps, int n, float tolerance) {
  for (int b = 0; b < n; ++b) {
    int step = 0;
    float most;
    do {
      most = 0;
      float next[6];
      for (int k = 0; k < 6; ++k) next[k] = bars[b][k];
      for (int k = 1; k < 5; ++k) {
        const float moved = 0.25f * (bars[b][k - 1] - 2 * bars[b][k] + bars[b][k + 1]);
        next[k] = bars[b][k] + moved;
        if (std::fabs(moved) > most) most = std::fabs(moved);
      }
      for (int k = 0; k < 6; ++k) bars[b][k] = next[k];
      ++step;
    } while (most > tolerance && step < 12);
    steps[b] = step;
  }
}
