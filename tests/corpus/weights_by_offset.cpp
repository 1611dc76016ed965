// Weights by the distance of two cells are a table of their own, from -radius to radius both ways.
// expect: corrected 0
#include <algorithm>
#include <cmath>
#include <vector>

void weights_by_offset(const float *in, float *out, int rows, int columns, int radius, float spread) {
  const int width = 2 * radius + 1;
  std::vector<float> weight(width * width);
  for (int a = -radius; a <= radius; a++)
    for (int b = -radius; b <= radius; b++)
      weight[(a + radius) * width + b + radius] = std::exp(-(a * a + b * b) / (2 * spread * spread));
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      float sum = 0, total = 0;
      for (int a = -radius; a <= radius; a++)
        for (int b = -radius; b <= radius; b++) {
          const float value = in[std::clamp(y + a, 0, rows - 1) * columns + std::clamp(x + b, 0, columns - 1)];
          const float w = weight[(a + radius) * width + b + radius] * std::exp(-value * value);
          sum += w * value;
          total += w;
        }
      out[y * columns + x] = sum / total;
    }
}
