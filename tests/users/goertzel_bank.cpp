// Levels of several tones by Goertzel's recurrence.
#include <cmath>

void goertzel_bank(const float *x, int n, const float *freqs, float *levels, int tones, float rate) {
  for (int t = 0; t < tones; ++t) {
    const float coeff = 2.0f * std::cos(2.0f * 3.14159265f * freqs[t] / rate);
    float s1 = 0, s2 = 0;
    for (int i = 0; i < n; ++i) {
      const float s0 = x[i] + coeff * s1 - s2;
      s2 = s1;
      s1 = s0;
    }
    levels[t] = s1 * s1 + s2 * s2 - coeff * s1 * s2;
  }
}
