#ifndef POLYMEND_RT_LOAD_ELEMENTS
#define POLYMEND_RT_LOAD_ELEMENTS

#include "for_warp_units.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// A float or double of shared memory.
template <class Element> __device__ __forceinline__ void loadElements(std::uint32_t at, Element &only) {
  only = 0;
  if constexpr (forWarpUnits && sizeof(Element) == 4)
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(only) : "r"(at) : "memory");
  else if constexpr (forWarpUnits)
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(only) : "r"(at) : "memory");
}

/// Two neighbours.
template <class Element>
__device__ __forceinline__ void loadElements(std::uint32_t at, Element &first, Element &second) {
  first = second = 0;
  if constexpr (forWarpUnits && sizeof(Element) == 4)
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(first), "=f"(second) : "r"(at) : "memory");
  else if constexpr (forWarpUnits)
    asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(first), "=d"(second) : "r"(at) : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LOAD_ELEMENTS
