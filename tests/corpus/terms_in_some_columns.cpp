// One element is read where columns are chosen, and everywhere: each part of the mended sum takes its own columns.
// expect: corrected 2 in 1 kernel
#include <cmath>

void terms_in_some_columns(int width, const float *x, const float *bias, float *out) {
  for (int r = 0; r < width; r++) {
    float total = 0.0f;
    for (int j = 1; j < width; j += 2) total += x[j * width + r];
    float largest = 0.0f;
    for (int j = 1; j < width; j += 2)
      largest = std::fmax(largest, (x[j * width + r] / total) * (x[j * width + r] / total));
    for (int i = 0; i < width; i++) {
      float sum = 0.0f;
      for (int j = 0; j < width; j++)
        sum = sum + (j % 2 != 0 ? x[j * width + r] / largest * bias[j * width + i] : 0.0f) - x[j * width + r] * 0.5f;
      out[r * width + i] = sum;
    }
  }
}
