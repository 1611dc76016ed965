#ifndef POLYMEND_RT_ALLOCATION_OF
#define POLYMEND_RT_ALLOCATION_OF

#include <cstddef>

namespace polymend_rt {
namespace {

/// Where the memory begins with which the runtime allocated a place of the device: 0 where the place is null, 1 where
/// the runtime knows of none.
inline unsigned long long allocationOf(const void *place) {
  hipDeviceptr_t begin{};
  std::size_t bytes = 0;
  if (place == nullptr) return 0;
  const hipError_t error = hipMemGetAddressRange(&begin, &bytes, const_cast<void *>(place));
  return error == hipSuccess ? reinterpret_cast<unsigned long long>(begin) : 1;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ALLOCATION_OF
