#ifndef POLYMEND_RT_MIRROR
#define POLYMEND_RT_MIRROR

#include "expect.cuh"

#include <cstddef>
#include <cstdint>

namespace polymend_rt {
namespace {

/// A copy of one of the caller's arrays on the device; without a host array, memory for one.
template <class T> class Mirror {
public:
  Mirror(const void *host, std::int64_t elements)
      : bytes(elements > 0 ? static_cast<std::size_t>(elements) * sizeof(T) : 0) {
    if (bytes == 0) return;
    expect(cudaMalloc(reinterpret_cast<void **>(&data), bytes), "memory on the device");
    if (host == nullptr) return;
    const cudaError_t error =
        cudaMemcpy(const_cast<void *>(static_cast<const void *>(data)), host, bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) static_cast<void>(cudaFree(data));
    expect(error, "copy to the device");
  }
  Mirror(const Mirror &) = delete;
  Mirror &operator=(const Mirror &) = delete;
  ~Mirror() {
    if (data) static_cast<void>(cudaFree(data));
  }
  void copyBack(void *host) const {
    if (bytes != 0) expect(cudaMemcpy(host, data, bytes, cudaMemcpyDeviceToHost), "copy from the device");
  }
  T *data = nullptr;

private:
  std::size_t bytes;
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MIRROR
