// The mean of nine neighbours, and the largest of those beside: windows of a constant few elements, summed in
// registers.
// expect: corrected 0 in 1 kernels
#include <algorithm>

void mean_of_nine(const float *in, float *mean, float *most, int w, int h) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      float sum = 0.0f, largest = -1e30f;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          sum += in[(y + dy) * w + (x + dx)];
          largest = std::max(largest, in[(y + dy) * w + (x + dx)]);
        }
      mean[y * w + x] = sum / 9.0f;
      most[y * w + x] = largest;
    }
}
