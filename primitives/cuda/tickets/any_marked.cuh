#ifndef POLYMEND_RT_ANY_MARKED
#define POLYMEND_RT_ANY_MARKED

#include "combine_block.cuh"
#include "maximum.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Whether one of `count` words is not zero: the same for all threads of a block. A barrier.
__device__ inline bool anyMarked(const std::uint32_t *words, std::int64_t count) {
  std::uint32_t any = 0;
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) any |= words[i];
  return combineBlock(any, Maximum()) != 0;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ANY_MARKED
