#ifndef POLYMEND_RT_LAUNCH
#define POLYMEND_RT_LAUNCH

#include <cstddef>
#include <cstdint>

namespace polymend_rt {
namespace {

/// Starts `blocks` blocks; a grid of no blocks is no error.
template <class... Parameters, class... Arguments>
inline cudaError_t launch(void (*kernel)(Parameters...), std::int64_t blocks, int threads, std::int64_t bytes,
                          cudaStream_t stream, const Arguments &...arguments) {
  if (blocks <= 0) return cudaSuccess;
  const auto size = static_cast<std::size_t>(bytes);
  if (size > 0) { // beside what a kernel has of fixed size, any may leave the 48 KiB that need no asking
    const cudaError_t error = cudaFuncSetAttribute(
        reinterpret_cast<const void *>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (error != cudaSuccess) return error;
  }
  constexpr std::int64_t most = 2147483647;
  const auto count = static_cast<unsigned>(blocks < most ? blocks : most);
  kernel<<<dim3(count), dim3(static_cast<unsigned>(threads)), size, stream>>>(static_cast<Parameters>(arguments)...);
  return cudaGetLastError();
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LAUNCH
