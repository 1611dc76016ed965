#ifndef POLYMEND_RT_RUNS_HOPPER_CODE
#define POLYMEND_RT_RUNS_HOPPER_CODE

#include "for_hopper.cuh"

namespace polymend_rt {
namespace {

/// Has shared memory of its own exactly where it was compiled for sm_90a.
__global__ void hopperMark() {
  if constexpr (forHopper) {
    __shared__ volatile int mark[1024];
    mark[threadIdx.x] = 0;
  }
}

/// Whether the current device has compute capability 9.0 and will run what this file compiles to for sm_90a.
inline bool runsHopperCode() {
  int device = 0, major = 0, minor = 0;
  cudaFuncAttributes mark{};
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
         cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess && major == 9 &&
         minor == 0 && cudaFuncGetAttributes(&mark, hopperMark) == cudaSuccess && mark.sharedSizeBytes >= 4096;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_RUNS_HOPPER_CODE
