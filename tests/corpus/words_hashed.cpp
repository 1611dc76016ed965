// Hashes of rows of numbers without a sign, all of it modulo 2^64: products, rotations, shifts that bring zeros in.
// expect: kept: 'h' is a recurrence that is no reduction
#include <cstddef>
#include <cstdint>

namespace {

std::uint64_t mixed(std::uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdull;
  return h ^ (h >> 29);
}

} // namespace

void words_hashed(const std::uint64_t *x, std::size_t rows, std::size_t columns, std::uint64_t seed,
                  std::uint64_t *hash) {
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint64_t h = 14695981039346656037ull ^ seed;
    for (std::size_t j = 0; j < columns; ++j) h = (h ^ x[i * columns + j]) * 1099511628211ull;
    hash[i] = mixed(h);
  }
}

void words_drawn(const std::uint64_t *state, int n, std::uint64_t *next, double *uniform) {
  for (int i = 0; i < n; ++i) {
    const std::uint64_t s = state[i] * 6364136223846793005ull + 1442695040888963407ull;
    next[i] = ~s - (s << 7);
    uniform[i] = static_cast<double>(s >> 11) * 0x1p-53;
  }
}
