#ifndef POLYMEND_RT_MAKE_TENSOR_MAP
#define POLYMEND_RT_MAKE_TENSOR_MAP

#include "tensor_map_encoder.cuh"

#include <cstdint>
#include <cuda.h>

namespace polymend_rt {
namespace {

/// Describes a mappable array and the box of one copy, at most 256 elements along each dimension and 128 bytes along
/// the innermost. A box stands in shared memory in rows of 128 bytes, their chunks of 16 exchanged by the row's number
/// modulo 8; elements out of bounds are zero.
template <int rank>
inline cudaError_t makeTensorMap(CUtensorMap &map, CUtensorMapDataType type, const void *base,
                                 const std::int64_t (&extents)[rank], const std::int64_t (&strides)[rank - 1],
                                 const int (&box)[rank]) {
  static_assert(2 <= rank && rank <= 5, "dimensions of a copy");
  const auto encode = tensorMapEncoder();
  if (!encode) return cudaErrorNotSupported;
  cuuint64_t sizes[rank], steps[rank - 1];
  cuuint32_t boxes[rank], every[rank];
  for (int i = 0; i < rank; ++i) {
    sizes[i] = static_cast<cuuint64_t>(extents[i]);
    boxes[i] = static_cast<cuuint32_t>(box[i]);
    every[i] = 1;
  }
  for (int i = 0; i + 1 < rank; ++i) steps[i] = static_cast<cuuint64_t>(strides[i]);
  const CUresult result =
      encode(&map, type, rank, const_cast<void *>(base), sizes, steps, boxes, every, CU_TENSOR_MAP_INTERLEAVE_NONE,
             CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MAKE_TENSOR_MAP
