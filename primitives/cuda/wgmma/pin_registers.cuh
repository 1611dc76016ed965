#ifndef POLYMEND_RT_PIN_REGISTERS
#define POLYMEND_RT_PIN_REGISTERS

#include <cstdint>

namespace polymend_rt {
namespace {

/// Nothing that reads or writes these values moves across this call: products write registers behind the compiler's
/// back until they are waited for.
template <int count> __device__ __forceinline__ void pinRegisters(float (&values)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) asm volatile("" : "+f"(values[i]) : : "memory");
}

template <int count> __device__ __forceinline__ void pinRegisters(std::uint32_t (&values)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) asm volatile("" : "+r"(values[i]) : : "memory");
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_PIN_REGISTERS
