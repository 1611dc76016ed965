// Rows of a width that is taken apart into as many parts as the caller says: each is divided by its length.
// expect: corrected 0 in 1 kernels
#include <cmath>

void parts_of_a_width(float *out, const float *in, int rows, int width, int parts) {
  const int d = width / parts;
  for (int r = 0; r < rows; r++)
    for (int h = 0; h < parts; h++) {
      float norm = 0;
      for (int i = 0; i < d; i++) norm += in[r * width + h * d + i] * in[r * width + h * d + i];
      for (int i = 0; i < d; i++) out[r * width + h * d + i] = in[r * width + h * d + i] / sqrtf(norm + 1e-5f);
    }
}
