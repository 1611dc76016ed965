#ifndef POLYMEND_RT_TENSOR_MAP_ENCODER
#define POLYMEND_RT_TENSOR_MAP_ENCODER

#include <cuda.h>

namespace polymend_rt {
namespace {

/// The driver's function that describes arrays, or null where it has none.
inline auto tensorMapEncoder() {
  using Encoder = decltype(&cuTensorMapEncodeTiled);
  static const Encoder encoder = [] {
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
#else
    const cudaError_t error = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found);
#endif
    const bool usable = error == cudaSuccess && found == cudaDriverEntryPointSuccess;
    return usable ? reinterpret_cast<Encoder>(entry) : nullptr;
  }();
  return encoder;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_TENSOR_MAP_ENCODER
