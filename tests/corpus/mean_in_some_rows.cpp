// Rows that a number chooses have means, which are watched as those of what was seen, whatever the loop over them is
// called: elsewhere terms of a row about 100 would be exponentials of 50.
// expect: corrected 1
#include <cmath>

float mean_in_some_rows(int n, const float *x, const float *w) {
  float all = 0.0f;
  for (int at = 0; at < n; ++at) {
    float total = 0.0f;
    for (int r = 0; r < n; ++r)
      if (at % 5 == 0) total += x[at * n + r];
    const float mean = total / (float)n;
    float sum = 0.0f;
    for (int r = 0; r < n; ++r) sum += at % 5 == 0 ? w[r] * std::exp(x[at * n + r] - mean) : 0.0f;
    all += sum;
  }
  return all;
}
