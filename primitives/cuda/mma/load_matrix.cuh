#ifndef POLYMEND_RT_LOAD_MATRIX
#define POLYMEND_RT_LOAD_MATRIX

#include "for_warp_units.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Four matrices of 8 x 8 as fragments, or their transposes: this thread gets elements (lane / 4, 2 * (lane % 4)) and
/// its right neighbour of each.
template <bool transposed> __device__ __forceinline__ void loadMatrix(std::uint32_t *words, std::uint32_t row) {
  if constexpr (forWarpUnits && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(row)
                 : "memory");
  else if constexpr (forWarpUnits)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(row)
                 : "memory");
  else
    words[0] = words[1] = words[2] = words[3] = 0;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LOAD_MATRIX
