// Rows of __bf16 divided by their root mean square, weighted and rounded to __bf16, then multiplied with a matrix.
// expect: corrected 1 in 1 kernel
// x is [rows][width], gain is [width], w is [width][outputs], y is [rows][outputs], stored flat.
#include <cmath>
#include <cstdint>

void rmsnorm_matmul_bf16(std::int64_t rows, std::int64_t width, std::int64_t outputs, const __bf16 *x,
                         const __bf16 *gain, const __bf16 *w, __bf16 *y) {
  for (std::int64_t i = 0; i < rows; i++) {
    float square = 0.0f;
    for (std::int64_t c = 0; c < width; c++) square += float(x[i * width + c]) * float(x[i * width + c]);
    const float scale = 1.0f / std::sqrt(square / float(width) + 1e-5f);
    for (std::int64_t o = 0; o < outputs; o++) {
      float sum = 0.0f;
      for (std::int64_t c = 0; c < width; c++) {
        const __bf16 normal = static_cast<__bf16>(float(x[i * width + c]) * scale * float(gain[c]));
        sum += float(normal) * float(w[c * outputs + o]);
      }
      y[i * outputs + o] = static_cast<__bf16>(sum);
    }
  }
}
