#ifndef POLYMEND_RT_SCRATCH
#define POLYMEND_RT_SCRATCH

#include "scratch_pool.cuh"

#include <cstddef>
#include <cstdint>

namespace polymend_rt {
namespace {

/// Device memory for the work queued on a stream after its allocation; freed in the order of the stream. Parts are
/// reserved first and allocated together: an allocation costs about as much as a launch.
class Scratch {
public:
  explicit Scratch(cudaStream_t on) : stream(on) {}
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() {
    if (data) static_cast<void>(cudaFreeAsync(data, stream));
  }
  /// Where a part of so many elements begins.
  template <class T> std::size_t reserve(std::int64_t count) {
    constexpr std::size_t alignment = 256;
    const std::size_t begin = bytes, elements = count > 0 ? static_cast<std::size_t>(count) : 1;
    const bool fits = elements <= (SIZE_MAX - begin - alignment) / sizeof(T);
    if (!fits) error = cudaErrorMemoryAllocation;
    if (fits) bytes = (begin + elements * sizeof(T) + alignment - 1) / alignment * alignment;
    return begin;
  }
  cudaError_t allocate() {
    cudaMemPool_t pool{};
    if (error == cudaSuccess) error = scratchPool(pool);
    if (error == cudaSuccess) error = cudaMallocFromPoolAsync(reinterpret_cast<void **>(&data), bytes, pool, stream);
    if (error != cudaSuccess) data = nullptr;
    return error;
  }
  template <class T> T *at(std::size_t begin) const { return reinterpret_cast<T *>(data + begin); }

private:
  cudaStream_t stream;
  cudaError_t error = cudaSuccess;
  std::size_t bytes = 0;
  unsigned char *data = nullptr;
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_SCRATCH
