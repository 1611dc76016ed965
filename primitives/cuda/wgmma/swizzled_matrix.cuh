#ifndef POLYMEND_RT_SWIZZLED_MATRIX
#define POLYMEND_RT_SWIZZLED_MATRIX

#include <cstdint>

namespace polymend_rt {
namespace {

/// A matrix in shared memory as a warpgroup product takes it: rows of 128 bytes with swizzled chunks of 16, groups of
/// eight rows 1024 bytes apart, panels of 64 columns `panelBytes` apart. `address` is a multiple of 1024 but for steps.
__device__ __forceinline__ std::uint64_t swizzledMatrix(std::uint32_t address, std::uint32_t panelBytes) {
  constexpr std::uint64_t groupBytes = 1024, swizzle128 = 1;
  return (address & 0x3ffffu) >> 4 | std::uint64_t{panelBytes >> 4} << 16 | groupBytes >> 4 << 32 | swizzle128 << 62;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_SWIZZLED_MATRIX
