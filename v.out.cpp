#include <algorithm>
#include <cstdint>

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
#if !defined(_OPENMP) && defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#endif
namespace polymend_rt {
namespace {

/// The quotient rounded towards minus infinity.
inline std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
}

/// Whether two ranges of memory share a byte.
inline bool overlap(const void *a, std::int64_t aBytes, const void *b, std::int64_t bBytes) {
  const auto p = reinterpret_cast<std::uintptr_t>(a);
  const auto q = reinterpret_cast<std::uintptr_t>(b);
  if (aBytes <= 0 || bBytes <= 0) return false;
  return p < q + static_cast<std::uintptr_t>(bBytes) && q < p + static_cast<std::uintptr_t>(aBytes);
}

} // namespace
} // namespace polymend_rt

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#endif
void f(int n, const float *x, float *y) {
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
  const std::int64_t n64 = n;
  // Where an output shares memory with another argument, the order of the source decides.
  if (polymend_rt::overlap(x, n64 * std::int64_t{sizeof(float)}, y, n64 * std::int64_t{sizeof(float)})) {
    {
      for (int k = 0; k < 1; k++)
        for (int i = 0; i < n; i++) y[i] = x[i];
    }
    return;
  }

  // Kernel f.
  {
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (std::int64_t k = 0; k < 1; ++k) {
      for (std::int64_t i_tile = 0; i_tile < polymend_rt::floorDiv(n64 - 1, 512) + 1; ++i_tile) {
#pragma omp simd
        for (std::int64_t i = 0; i < std::min<std::int64_t>(n64 - 512 * i_tile, 512); ++i) {
          y[512 * i_tile + i] = x[512 * i_tile + i];
        }
      }
    }
  }
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
