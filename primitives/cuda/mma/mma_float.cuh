#ifndef POLYMEND_RT_MMA_FLOAT
#define POLYMEND_RT_MMA_FLOAT

#include "for_warp_units.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// sums += left * right for a warp: 16 x 8 sums of 8 products in tf32, the even terms before the odd ones.
__device__ __forceinline__ void mmaFloat(float *sums, const float *left, float even, float odd) {
  if constexpr (forWarpUnits)
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(__float_as_uint(left[0])), "r"(__float_as_uint(left[2])), "r"(__float_as_uint(left[1])),
          "r"(__float_as_uint(left[3])), "r"(__float_as_uint(even)), "r"(__float_as_uint(odd)));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MMA_FLOAT
