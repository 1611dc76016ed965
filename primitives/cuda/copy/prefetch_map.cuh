#ifndef POLYMEND_RT_PREFETCH_MAP
#define POLYMEND_RT_PREFETCH_MAP

#include "for_hopper.cuh"

#include <cuda.h>

namespace polymend_rt {
namespace {

/// Fetches a description ahead of its first use.
__device__ __forceinline__ void prefetchMap(const CUtensorMap *map) {
  if constexpr (forHopper) asm volatile("prefetch.tensormap [%0];" : : "l"(map) : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_PREFETCH_MAP
