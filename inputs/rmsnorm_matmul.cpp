// Rows divided by their root mean square, weighted, then multiplied with a matrix.
// expect: corrected 1 in 1 kernel
// x is [rows][256], gain is [256], w is [256][128], y is [rows][128].
#include <cmath>

constexpr int width = 256;
constexpr int outputs = 128;

void rmsnorm_matmul(int rows, const float x[][width], const float gain[width], const float w[width][outputs],
                    float y[][outputs]) {
  for (int i = 0; i < rows; i++) {
    float square = 0.0f;
    for (int c = 0; c < width; c++) square += x[i][c] * x[i][c];
    float root = std::sqrt(square / width + 1e-5f);
    for (int o = 0; o < outputs; o++) {
      float sum = 0.0f;
      for (int c = 0; c < width; c++) sum += x[i][c] / root * gain[c] * w[c][o];
      y[i][o] = sum;
    }
  }
}
