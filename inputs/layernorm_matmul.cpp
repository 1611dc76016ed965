// Layer normalisation of __bf16 rows, then a matrix product: y = (x - mean) / deviation * gain * w.
// expect: corrected 2 in 1 kernel
// x is [rows][width], gain is [width], w is [width][outputs], y is [rows][outputs], stored flat.
#include <cmath>
#include <cstdint>

void layernorm_matmul(std::int64_t rows, std::int64_t width, std::int64_t outputs, const __bf16 *x, const float *gain,
                      const __bf16 *w, __bf16 *y) {
  for (std::int64_t i = 0; i < rows; i++) {
    float sum = 0.0f;
    for (std::int64_t c = 0; c < width; c++) sum += float(x[i * width + c]);
    const float mean = sum / float(width);
    float square = 0.0f;
    for (std::int64_t c = 0; c < width; c++)
      square += (float(x[i * width + c]) - mean) * (float(x[i * width + c]) - mean);
    const float deviation = std::sqrt(square / float(width) + 1e-5f);
    for (std::int64_t o = 0; o < outputs; o++) {
      float acc = 0.0f;
      for (std::int64_t c = 0; c < width; c++)
        acc += (float(x[i * width + c]) - mean) / deviation * gain[c] * float(w[c * outputs + o]);
      y[i * outputs + o] = static_cast<__bf16>(acc);
    }
  }
}
