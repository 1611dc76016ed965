#ifndef POLYMEND_RT_LOAD_BLOCK_ACROSS
#define POLYMEND_RT_LOAD_BLOCK_ACROSS

#include <cstdint>

namespace polymend_rt {
namespace {

/// As loadBlock, of a panel whose rows are the block's columns: `row` holds its first column, `chunk` its first rows.
__device__ __forceinline__ void loadBlockAcross(std::uint32_t *words, std::uint32_t panel, int row, int chunk) {
  const int lane = static_cast<int>(threadIdx.x % 32), at = row + lane / 16 * 8 + lane % 8;
  const std::uint32_t address = panel + static_cast<std::uint32_t>(128 * at + 16 * ((chunk + lane / 8 % 2) ^ (at % 8)));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(address)
               : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LOAD_BLOCK_ACROSS
