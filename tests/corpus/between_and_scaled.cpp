// Between two numbers as std::lerp has it, and numbers moved by powers of two that data say.
// expect: corrected 0
#include <cmath>
#include <cstdint>

void heights(const float *grid, float *out, int n, int side) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int y = i * (side - 1) / n, x = j * (side - 1) / n;
      const float v = float(i % 7) / 6, u = float(j % 5) / 4;
      const float *at = grid + y * side + x;
      out[i * n + j] = std::lerp(std::lerp(at[0], at[1], u), std::lerp(at[side], at[side + 1], u), v);
    }
}

void unpacked(const std::uint8_t *codes, double *out, int n) {
  for (int i = 0; i < n; i++) {
    const int e = codes[i] >> 3 & 15, m = codes[i] & 7;
    const double r = e == 0 ? std::ldexp(double(m), -9) : std::ldexp(1.0 + m / 8.0, e - 7);
    out[i] = codes[i] & 128 ? -r : r;
  }
}
