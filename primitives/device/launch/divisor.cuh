#ifndef POLYMEND_RT_DIVISOR
#define POLYMEND_RT_DIVISOR

#include <cstdint>

namespace polymend_rt {
namespace {

/// Divides numbers of points by one size of their grid: by a multiplication where all are below 2^31 (Granlund and
/// Montgomery, Division by invariant integers using multiplication, PLDI 1994, section 4), as all of 32 bits are.
template <class Index = std::int64_t> struct Divisor {
  /// Of numbers in [0, points); a size of 0 has no points.
  Divisor(std::int64_t given, std::int64_t points) : size(given), factor(0), shift(31) {
    if (given < 1 || (given | points) >> 31 != 0) return;
    while (std::int64_t{1} << (shift - 31) < given) ++shift;
    const std::uint64_t whole = std::uint64_t{1} << shift, own = static_cast<std::uint64_t>(given);
    factor = static_cast<std::uint32_t>((whole + own - 1) / own);
  }
  template <class Other>
  explicit Divisor(const Divisor<Other> &other)
      : size(static_cast<Index>(other.size)), factor(other.factor), shift(other.shift) {}
  __device__ Index quotient(Index number) const {
    if constexpr (sizeof(Index) > sizeof(factor))
      if (factor == 0) return number / size;
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(number)) * factor >> shift);
  }

  Index size;
  std::uint32_t factor;
  int shift;
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_DIVISOR
