#ifndef POLYMEND_RT_MMA_DOUBLE
#define POLYMEND_RT_MMA_DOUBLE

#include "for_tall_doubles.cuh"
#include "for_warp_units.cuh"

namespace polymend_rt {
namespace {

/// sums += left * right for a warp: 16 x 8 sums of 4 products; `upper` and `lower` are 8 rows of the left factor each.
__device__ __forceinline__ void mmaDouble(double *sums, double upper, double lower, double right) {
  if constexpr (forTallDoubles) {
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
        : "d"(upper), "d"(lower), "d"(right));
  } else if constexpr (forWarpUnits) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(sums[0]), "+d"(sums[1])
        : "d"(upper), "d"(right));
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(sums[2]), "+d"(sums[3])
        : "d"(lower), "d"(right));
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MMA_DOUBLE
