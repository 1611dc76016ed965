#ifndef POLYMEND_RT_COPY_CHUNK
#define POLYMEND_RT_COPY_CHUNK

#include "for_warp_units.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Starts the copy of 16 bytes to shared memory: of zeros where `inside` is false.
__device__ __forceinline__ void copyChunk(std::uint32_t shared, const void *from, bool inside) {
  if constexpr (forWarpUnits)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(shared), "l"(from), "r"(inside ? 16 : 0)
                 : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_COPY_CHUNK
