#ifndef POLYMEND_RT_SHARED_ADDRESS
#define POLYMEND_RT_SHARED_ADDRESS

#include <cstdint>

namespace polymend_rt {
namespace {

/// The address of an object in shared memory within that memory.
__device__ __forceinline__ std::uint32_t sharedAddress(const void *object) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(object));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_SHARED_ADDRESS
