#ifndef POLYMEND_RT_LOAD_BLOCK
#define POLYMEND_RT_LOAD_BLOCK

#include <cstdint>

namespace polymend_rt {
namespace {

/// A lane's share of a block of 16 x 16 numbers of 16 bits, as the left factor of a warpgroup product lies in
/// registers. The block begins at a row and a chunk of 16 bytes of a panel of rows of 128 bytes, whose chunks are
/// swizzled. `panel` is a multiple of 1024. All lanes of a warp call this.
__device__ __forceinline__ void loadBlock(std::uint32_t *words, std::uint32_t panel, int row, int chunk) {
  const int lane = static_cast<int>(threadIdx.x % 32), at = row + lane % 16;
  const std::uint32_t address = panel + static_cast<std::uint32_t>(128 * at + 16 * ((chunk + lane / 16) ^ (at % 8)));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(address)
               : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LOAD_BLOCK
