// Distances between rows of bits: how many bits of words of 64 differ; of bytes, the zeros around what is set.
// expect: corrected 0
#include <bit>
#include <cstddef>
#include <cstdint>

void bits_counted(const std::uint64_t *a, std::size_t n, const std::uint64_t *b, std::size_t m, std::size_t words,
                  std::uint16_t *distance) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      unsigned d = 0;
      for (std::size_t w = 0; w < words; ++w)
        d += static_cast<unsigned>(std::popcount(a[i * words + w] ^ b[j * words + w]));
      distance[i * m + j] = static_cast<std::uint16_t>(d);
    }
}

void zeros_around(const std::uint8_t *x, const std::uint32_t *w, const std::uint64_t *v, int n, int *left, int *right,
                  std::uint32_t *powers, std::uint64_t *turned) {
  for (int i = 0; i < n; ++i) {
    left[i] = std::countl_zero(x[i]) + std::countl_one(w[i]) + 100 * __builtin_clz(w[i] | 1u) + std::countl_zero(v[i]);
    right[i] =
        std::countr_zero(x[i]) + std::countr_one(v[i]) + 100 * __builtin_ctzll(v[i] | 1ull) + std::bit_width(w[i]);
    powers[i] =
        std::bit_floor(w[i]) + std::bit_ceil(w[i] >> 2) + (std::has_single_bit(w[i]) ? 1u : 0u) + std::rotl(w[i], i);
    turned[i] = std::rotr(v[i], 13) ^ std::rotl(v[i], i) ^ std::rotl(x[i], 3);
  }
}
