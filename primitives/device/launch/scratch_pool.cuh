#ifndef POLYMEND_RT_SCRATCH_POOL
#define POLYMEND_RT_SCRATCH_POOL

#include <cstdint>
#include <map>
#include <mutex>

namespace polymend_rt {
namespace {

/// The pool of the current device that scratch memory comes from. It keeps up to 256 MiB when work is done, so that
/// the next call need not ask the system.
inline cudaError_t scratchPool(cudaMemPool_t &pool) {
  static std::mutex alone;
  static std::map<int, cudaMemPool_t> pools;
  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device); error != cudaSuccess) return error;
  const std::lock_guard<std::mutex> lock(alone);
  if (const auto known = pools.find(device); known != pools.end()) {
    pool = known->second;
    return cudaSuccess;
  }
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  if (const cudaError_t error = cudaMemPoolCreate(&pool, &properties); error != cudaSuccess) return error;
  std::uint64_t kept = std::uint64_t{256} << 20;
  if (const cudaError_t error = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
      error != cudaSuccess)
    return error;
  pools[device] = pool;
  return cudaSuccess;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_SCRATCH_POOL
