// Layer normalisation of __bf16 rows, rounded to __bf16, then multiplied with a matrix: ((x - mean) / deviation * gain
// expect: corrected 1 in 1 kernel; refused: what the source rounds waits
// + shift) * w. x is [rows][width], gain and shift are [width], w is [width][outputs], y is [rows][outputs], stored
// flat.
#include <cmath>
#include <cstdint>

void layernorm_matmul_bf16(std::int64_t rows, std::int64_t width, std::int64_t outputs, const __bf16 *x,
                           const __bf16 *gain, const __bf16 *shift, const __bf16 *w, __bf16 *y) {
  for (std::int64_t i = 0; i < rows; i++) {
    float sum = 0.0f;
    for (std::int64_t c = 0; c < width; c++) sum += float(x[i * width + c]);
    const float mean = sum / float(width);
    float square = 0.0f;
    for (std::int64_t c = 0; c < width; c++)
      square += (float(x[i * width + c]) - mean) * (float(x[i * width + c]) - mean);
    const float scale = 1.0f / std::sqrt(square / float(width) + 1e-5f);
    for (std::int64_t o = 0; o < outputs; o++) {
      float acc = 0.0f;
      for (std::int64_t c = 0; c < width; c++) {
        const float centred = float(x[i * width + c]) - mean;
        const __bf16 normal = static_cast<__bf16>(centred * scale * float(gain[c]) + float(shift[c]));
        acc += float(normal) * float(w[c * outputs + o]);
      }
      y[i * outputs + o] = static_cast<__bf16>(acc);
    }
  }
}
