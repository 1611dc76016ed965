#ifndef POLYMEND_RT_MMA_BRAIN
#define POLYMEND_RT_MMA_BRAIN

#include "for_warp_units.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// sums += left * right for a warp: 16 x 8 sums of 16 products in bf16.
__device__ __forceinline__ void mmaBrain(float *sums, const std::uint32_t *left, std::uint32_t low,
                                         std::uint32_t high) {
  if constexpr (forWarpUnits)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(low), "r"(high));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MMA_BRAIN
