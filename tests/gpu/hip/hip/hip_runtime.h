// Enough of HIP's runtime over CUDA's to compile and run printed HIP text with nvcc, at warps of 32 threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define _Float16 __half
#define __bf16 __nv_bfloat16
#define hipError_t cudaError_t
#define hipStream_t cudaStream_t
#define hipSuccess cudaSuccess
#define hipErrorInvalidValue cudaErrorInvalidValue
#define hipErrorMemoryAllocation cudaErrorMemoryAllocation
#define hipGetLastError cudaGetLastError
#define hipGetErrorString cudaGetErrorString
#define hipFuncSetAttribute cudaFuncSetAttribute
#define hipFuncAttributeMaxDynamicSharedMemorySize cudaFuncAttributeMaxDynamicSharedMemorySize
#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipGetDevice cudaGetDevice
#define hipMemPool_t cudaMemPool_t
#define hipMemPoolProps cudaMemPoolProps
#define hipMemAllocationTypePinned cudaMemAllocationTypePinned
#define hipMemLocationTypeDevice cudaMemLocationTypeDevice
#define hipMemPoolCreate cudaMemPoolCreate
#define hipMemPoolSetAttribute cudaMemPoolSetAttribute
#define hipMemPoolAttrReleaseThreshold cudaMemPoolAttrReleaseThreshold
#define hipMallocFromPoolAsync cudaMallocFromPoolAsync
#define hipFreeAsync cudaFreeAsync
#define hipMemcpy cudaMemcpy
#define hipMemsetAsync cudaMemsetAsync
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipStreamSynchronize cudaStreamSynchronize

/// Only threads of the group of `width` take part: others may be elsewhere.
template <class T> __device__ inline T __shfl_xor(T value, int distance, int width = 32) {
  const unsigned group = width < 32 ? ((1u << width) - 1u) << (threadIdx.x % 32 / width * width) : 0xffffffffu;
  return __shfl_xor_sync(group, value, distance, width);
}
