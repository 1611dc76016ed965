// CUDA's runtime and device functions as far as printed texts use them, on the emulated device.
#pragma once

#include "machine.h"
#include "meet.h"
#include "products.h"
#include "ptx.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>

#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 900
#endif
#define __CUDA_ARCH_FEAT_SM90_ALL 1
#define CUDART_VERSION 13000
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __grid_constant__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define threadIdx (::emulated::current->index)
#define blockIdx (::emulated::blockIndex())
#define blockDim (::emulated::launched->block)
#define gridDim (::emulated::launched->grid)

using std::max;
using std::min;

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorNotSupported = 801
};
using cudaStream_t = void *;
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };
enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
struct cudaFuncAttributes {
  std::size_t sharedSizeBytes;
};
enum cudaMemAllocationType { cudaMemAllocationTypePinned = 1 };
enum cudaMemLocationType { cudaMemLocationTypeDevice = 1 };
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };
struct cudaMemPoolProps {
  cudaMemAllocationType allocType;
  struct {
    cudaMemLocationType type;
    int id;
  } location;
};
using cudaMemPool_t = void *;
enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess = 0, cudaDriverEntryPointSymbolNotFound = 1 };
constexpr unsigned long long cudaEnableDefault = 0;

cudaError_t cudaGetLastError();
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value);
template <class Kernel> cudaError_t cudaFuncSetAttribute(Kernel *kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}
/// As for a kernel that has been compiled for sm_90a or earlier.
template <class Kernel> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, Kernel *) {
  attributes->sharedSizeBytes = 4096;
  return cudaSuccess;
}
cudaError_t cudaMalloc(void **data, std::size_t bytes);
template <class T> cudaError_t cudaMalloc(T **data, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void **>(data), bytes);
}
cudaError_t cudaFree(void *data);
cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemsetAsync(void *data, int value, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMallocFromPoolAsync(void **data, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *data, cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetDriverEntryPoint(const char *name, void **entry, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *found);
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **entry, unsigned version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *found);

namespace emulated {

uint3 blockIndex();
/// The start of the block's dynamic shared memory.
unsigned char *dynamicShared();
/// The address in the current block of what is at this place of the window.
void *inShared(std::size_t place);
std::uint32_t sharedOffset(const volatile void *object);
std::size_t reserveShared(std::size_t bytes, std::size_t alignment);
bool noteBounds(const void *kernel, const char *name, unsigned threads);
bool syncThreads(bool predicate = false);
bool watchRaces();
#ifdef POLYMEND_RACES
inline const bool racesWatched = watchRaces();
#endif

/// One __shared__ variable; `Where` is a type that only its declaration has.
template <class T, class Where> struct SharedVariable {
  static inline const std::size_t place = reserveShared(sizeof(T), alignof(T) < 16 ? 16 : alignof(T));
};
template <class T, class Where> T &shared(Where) {
  return *static_cast<T *>(inShared(SharedVariable<T, Where>::place));
}

/// What kernel<<<...>>> is: checks the launch and runs it.
void start(const void *kernel, dim3 grid, dim3 block, std::size_t bytes, std::function<void()> body);

template <class... Parameters> struct Start {
  void (*kernel)(Parameters...);
  dim3 grid, block;
  std::size_t bytes;
  template <class... Arguments> void operator()(const Arguments &...arguments) const {
    const std::tuple<std::remove_const_t<Parameters>...> held(arguments...);
    start(reinterpret_cast<const void *>(kernel), grid, block, bytes,
          [held, kernel = kernel] { std::apply(kernel, held); });
  }
};
template <class... Parameters>
Start<Parameters...> configured(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t bytes = 0,
                                cudaStream_t = nullptr) {
  return {kernel, grid, block, bytes};
}

} // namespace emulated

inline void __syncthreads() { emulated::syncThreads(); }
inline int __syncthreads_or(int predicate) { return emulated::syncThreads(predicate != 0); }
[[noreturn]] inline void __trap() { emulated::fail("__trap"); }
inline void __syncwarp(unsigned mask = 0xffffffffu) { emulated::meet("__syncwarp", mask, 0); }
inline void __threadfence() { emulated::pause(); }
inline void __threadfence_block() { emulated::pause(); }
inline std::size_t __cvta_generic_to_shared(const void *object) { return emulated::sharedOffset(object); }

template <class T> T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  return emulated::shuffle("__shfl_sync", mask, value, [=](int self) { return self / width * width + lane % width; });
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int distance, int width = 32) {
  return emulated::shuffle("__shfl_xor_sync", mask, value, [=](int self) {
    const int other = self ^ distance;
    return other / width > self / width ? self : other;
  });
}
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32) {
  return emulated::shuffle("__shfl_down_sync", mask, value, [=](int self) {
    return self % width + static_cast<int>(distance) < width ? self + static_cast<int>(distance) : self;
  });
}
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32) {
  return emulated::shuffle("__shfl_up_sync", mask, value, [=](int self) {
    return self % width >= static_cast<int>(distance) ? self - static_cast<int>(distance) : self;
  });
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
  const auto brought = emulated::meet("__ballot_sync", mask, predicate != 0);
  unsigned votes = 0;
  for (int lane = 0; lane < 32; ++lane)
    if ((mask >> lane & 1) != 0 && brought->of[lane] != 0) votes |= 1u << lane;
  return votes;
}
inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) == mask; }

// Not watched for races: operations on the same word have an order.
#define EMULATED_ATOMIC __attribute__((noinline, no_sanitize("coverage")))
template <class T> EMULATED_ATOMIC T atomicAdd(T *at, std::type_identity_t<T> value) {
  emulated::pause();
  const T old = *at;
  *at = static_cast<T>(old + value);
  return old;
}
template <class T> EMULATED_ATOMIC T atomicMax(T *at, std::type_identity_t<T> value) {
  emulated::pause();
  const T old = *at;
  *at = std::max(old, value);
  return old;
}
template <class T> EMULATED_ATOMIC T atomicExch(T *at, std::type_identity_t<T> value) {
  emulated::pause();
  return std::exchange(*at, value);
}
template <class T> EMULATED_ATOMIC T atomicCAS(T *at, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  emulated::pause();
  const T old = *at;
  if (old == expected) *at = value;
  return old;
}

/// Bits of a word that are set, zeros above them, and the number of the lowest one from 1 on.
inline int __popcll(unsigned long long word) { return __builtin_popcountll(word); }
inline int __clzll(long long word) { return word == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(word)); }
inline int __ffsll(long long word) { return __builtin_ffsll(word); }

/// An operation that contracts into no other.
inline float __fmul_rn(float a, float b) {
#pragma clang fp contract(off)
  return a * b;
}
inline float __fadd_rn(float a, float b) {
#pragma clang fp contract(off)
  return a + b;
}
inline double __dmul_rn(double a, double b) {
#pragma clang fp contract(off)
  return a * b;
}
inline double __dadd_rn(double a, double b) {
#pragma clang fp contract(off)
  return a + b;
}
inline float __fmaf_rn(float a, float b, float c) { return ::fmaf(a, b, c); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
