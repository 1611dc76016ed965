#ifndef POLYMEND_RT_ALLOCATION_OF
#define POLYMEND_RT_ALLOCATION_OF

#include <cstddef>

namespace polymend_rt {
namespace {

/// Where the memory begins with which the driver allocated a place of the device: 0 where the place is null, 1 where
/// the driver knows of none.
inline unsigned long long allocationOf(const void *place) {
  using Ask = int (*)(unsigned long long *, std::size_t *, unsigned long long);
  static const Ask ask = [] {
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &entry, 12000, cudaEnableDefault, &found);
#else
    const cudaError_t error = cudaGetDriverEntryPoint("cuMemGetAddressRange", &entry, cudaEnableDefault, &found);
#endif
    const bool usable = error == cudaSuccess && found == cudaDriverEntryPointSuccess;
    return usable ? reinterpret_cast<Ask>(entry) : nullptr;
  }();
  unsigned long long begin = 0;
  std::size_t bytes = 0;
  if (place == nullptr) return 0;
  return ask && ask(&begin, &bytes, reinterpret_cast<unsigned long long>(place)) == 0 ? begin : 1;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ALLOCATION_OF
