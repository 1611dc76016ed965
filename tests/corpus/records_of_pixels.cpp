// Structures in a flat array of rows: which one is meant is a product of two variables.
// expect: corrected 0
#include <cstdint>
struct Slope {
  std::int16_t across, down;
};
struct Sample {
  float value;
  std::int16_t kind;
};
void records_of_pixels(const unsigned char *image, const Sample *samples, Slope *slopes, float *y, int w, int h) {
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      slopes[i * w + j] = {static_cast<std::int16_t>(image[i * w + j + 1] - image[i * w + j - 1]),
                           static_cast<std::int16_t>(image[(i + 1) * w + j] - image[(i - 1) * w + j])};
      y[i * w + j] = samples[i * w + j].value * samples[(i - 1) * w + j].kind;
    }
}
