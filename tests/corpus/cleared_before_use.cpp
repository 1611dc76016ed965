// Memory is cleared by memset, and a local std::array by its braces.
// expect: kept
#include <array>
#include <cstring>

void cleared_before_use(int n, const float *x, float *bands, float *y) {
  std::memset(bands, 0, 8 * sizeof(float));
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < n; i++) bands[k] += x[i * 8 + k];
  for (int i = 0; i < n; i++) {
    std::array<float, 3> weight = {0.25f, 0.5f};
    float mixed[4];
    std::memset(mixed, 0, sizeof(mixed));
    for (int k = 0; k < 8; k++) mixed[k / 2] += weight[k % 3] * x[i * 8 + k];
    y[i] = mixed[0] - mixed[1] + mixed[2] * mixed[3];
  }
}
