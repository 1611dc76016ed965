// expect: corrected 1 in 1 kernel; refused: no correction for a maximum
// What is carried is multiplied by a logarithm that may be small before it is divided by what is as small.
#include <cmath>

void small_factor_then_divided(int rows, int width, const _Float16 *x, const float *tiny, float *out) {
  for (int t = 0; t < rows; ++t) {
    float sum = 0;
    for (int c = 0; c < width; ++c) sum += (float)x[t * width + c];
    float most = -1000;
    for (int c = 0; c < width; ++c) most = std::fmax(most, std::abs((float)x[t * width + c]) / sum);
    float shares = 0;
    for (int c = 0; c < width; ++c)
      shares += (float)x[t * width + c] * std::log(std::abs(most) + 1.0f) / most * tiny[c];
    out[t] = shares;
  }
}
