#ifndef POLYMEND_RT_RUNS_MATRIX_CODE
#define POLYMEND_RT_RUNS_MATRIX_CODE

#include "for_warp_units.cuh"

namespace polymend_rt {
namespace {

/// Has shared memory of its own exactly where it was compiled for compute capability 8.0 or later.
__global__ void warpUnitsMark() {
  if constexpr (forWarpUnits) {
    __shared__ volatile int mark[1024];
    mark[threadIdx.x] = 0;
  }
}

/// Whether the current device runs what this file compiles to, for compute capability 8.0 or later, and gives a block
/// so many bytes of shared memory.
inline bool runsMatrixCode(int sharedBytes) {
  int device = 0, most = 0;
  cudaFuncAttributes mark{};
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess &&
         sharedBytes <= most && cudaFuncGetAttributes(&mark, warpUnitsMark) == cudaSuccess &&
         mark.sharedSizeBytes >= 4096;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_RUNS_MATRIX_CODE
