// What people count and add up in numbers without a sign, of every width, and the largest of such.
// expect: corrected 0
#include <cstddef>
#include <cstdint>

unsigned count_above(int n, const float *x) {
  unsigned count = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0) count++;
  return count;
}

std::size_t count_near(std::size_t n, const float *x, const float *y) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; i++) count += x[i] < y[i] && y[i] < 2 * x[i];
  return count;
}

std::uint64_t sum_of_words(int n, const std::uint32_t *x) {
  std::uint64_t sum = 17;
  for (int i = 0; i < n; i++) sum = sum + x[i];
  return sum;
}

double mean_of_bytes(int rows, int n, const std::uint8_t *x, double *means) {
  std::size_t all = 0;
  for (int r = 0; r < rows; r++) {
    std::size_t sum = 0;
    for (int i = 0; i < n; i++) sum += x[r * n + i];
    means[r] = (double)sum / n;
    all += sum;
  }
  return (double)all;
}

unsigned checksum(int n, const unsigned *x, const unsigned *weight) {
  unsigned sum = 0x12345678u;
  for (int i = 0; i < n; i++) sum += x[i] * (weight[i] - x[i]) - 3u;
  return sum ^ sum >> 16;
}

void largest(int rows, int n, const unsigned *x, unsigned *most, unsigned *sums) {
  for (int r = 0; r < rows; r++) {
    unsigned best = 0, sum = 0;
    for (int i = 0; i < n; i++) {
      if (x[r * n + i] > best) best = x[r * n + i];
      if (x[r * n + i] > 100u) sum -= x[r * n + i];
    }
    most[r] = best;
    sums[r] = sum / 3u;
  }
}
