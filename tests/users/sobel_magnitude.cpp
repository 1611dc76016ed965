// Sobel edges by constant kernels.
#include <cmath>
#include <cstdint>

static const int kx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
static const int ky[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};

void sobel_magnitude(const uint8_t *img, uint8_t *out, int rows, int cols) {
  for (int i = 1; i < rows - 1; i++) {
    for (int j = 1; j < cols - 1; j++) {
      int gx = 0, gy = 0;
      for (int a = -1; a <= 1; a++) {
        for (int b = -1; b <= 1; b++) {
          gx += kx[a + 1][b + 1] * img[(i + a) * cols + j + b];
          gy += ky[a + 1][b + 1] * img[(i + a) * cols + j + b];
        }
      }
      int mag = std::abs(gx) + std::abs(gy);
      out[i * cols + j] = mag > 255 ? 255 : mag;
    }
  }
}
