// The spread about the mean of nine neighbours: a part of their sum is far from what they lie about, so that nothing is
// mended about it; both are summed for as many neighbours as a vector holds.
// expect: corrected 0 in 1 kernel; refused: cannot run together
#include <cmath>

void spread_of_windows(const float *in, float *out, int h, int w) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      float sum = 0.0f;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) sum += in[(y + dy) * w + x + dx];
      float mean = sum / 9.0f, squares = 0.0f;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          squares += (in[(y + dy) * w + x + dx] - mean) * (in[(y + dy) * w + x + dx] - mean);
      out[y * w + x] = std::sqrt(squares / 9.0f);
    }
}
