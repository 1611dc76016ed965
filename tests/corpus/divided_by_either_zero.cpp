// expect: corrected 1 in 1 kernel; refused: no correction for a maximum
// Where an element is infinite the greatest is a zero whose sign fmax may choose, and what is divided by it an
// infinity.
#include <cmath>

void divided_by_either_zero(int rows, int width, int columns, const float *data, const _Float16 *left, float *out) {
  for (int j = 0; j < rows; ++j) {
    float sum = 0;
    for (int c = 0; c < width; ++c) sum += data[j * width + c];
    const float mean = sum / (float)width;
    float most = 0;
    for (int c = 0; c < width; ++c) most = std::fmax(std::abs(data[j * width + c]) / mean, most);
    for (int l = 0; l < columns; ++l) {
      float s = 0;
      for (int c = 0; c < width; ++c) s += data[j * width + c] / most * (float)left[c * columns + l];
      out[j * columns + l] = s;
    }
  }
}
