#ifndef POLYMEND_RT_MIRROR_OF
#define POLYMEND_RT_MIRROR_OF

#include "expect.cuh"
#include "interval.h"

#include <cstddef>
#include <cstdint>

namespace polymend_rt {
namespace {

/// A copy of some elements of one of the caller's arrays on the device; data points to its first, copied or not.
template <class T> class MirrorOf {
public:
  MirrorOf(const void *host, const Interval &elements)
      : offset(elements.count() > 0 ? elements.least * static_cast<std::int64_t>(sizeof(T)) : 0),
        bytes(static_cast<std::size_t>(elements.count()) * sizeof(T)) {
    if (bytes == 0) return;
    const std::int64_t lead = (offset % 256 + 256) % 256;
    expect(cudaMalloc(&memory, bytes + static_cast<std::size_t>(lead)), "memory on the device");
    const auto begin = reinterpret_cast<std::uintptr_t>(memory) + static_cast<std::uintptr_t>(lead);
    copied = reinterpret_cast<void *>(begin);
    data = reinterpret_cast<T *>(begin - static_cast<std::uintptr_t>(offset));
    const cudaError_t error =
        cudaMemcpy(copied, static_cast<const char *>(host) + offset, bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) static_cast<void>(cudaFree(memory));
    expect(error, "copy to the device");
  }
  MirrorOf(const MirrorOf &) = delete;
  MirrorOf &operator=(const MirrorOf &) = delete;
  ~MirrorOf() {
    if (memory) static_cast<void>(cudaFree(memory));
  }
  void copyBack(void *host) const {
    if (bytes != 0)
      expect(cudaMemcpy(static_cast<char *>(host) + offset, copied, bytes, cudaMemcpyDeviceToHost),
             "copy from the device");
  }
  T *data = nullptr;

private:
  std::int64_t offset;
  std::size_t bytes;
  void *memory = nullptr, *copied = nullptr;
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MIRROR_OF
