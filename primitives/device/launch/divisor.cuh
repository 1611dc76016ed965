#ifndef POLYMEND_RT_DIVISOR
#define POLYMEND_RT_DIVISOR

#include <cstdint>

namespace polymend_rt {
namespace {

/// Divides numbers of points by one size of their grid: by a multiplication where all are below 2^31 (Granlund and
/// Montgomery, Division by invariant integers using multiplication, PLDI 1994, section 4).
struct Divisor {
  /// Of numbers in [0, points); a size of 0 has no points.
  Divisor(std::int64_t size, std::int64_t points) : size(size), factor(0), shift(31) {
    if (size < 1 || (size | points) >> 31 != 0) return;
    while (std::int64_t{1} << (shift - 31) < size) ++shift;
    const std::uint64_t whole = std::uint64_t{1} << shift, own = static_cast<std::uint64_t>(size);
    factor = static_cast<std::uint32_t>((whole + own - 1) / own);
  }
  __device__ std::int64_t quotient(std::int64_t number) const {
    if (factor == 0) return number / size;
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(number)) * factor >> shift);
  }

  std::int64_t size;
  std::uint32_t factor;
  int shift;
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_DIVISOR
