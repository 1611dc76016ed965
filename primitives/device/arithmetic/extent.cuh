#ifndef POLYMEND_RT_EXTENT
#define POLYMEND_RT_EXTENT

#include <cstdint>

namespace polymend_rt {
namespace {

/// The number of integers in [first, limit).
__host__ __device__ inline std::int64_t extent(std::int64_t first, std::int64_t limit) {
  return first < limit ? limit - first : 0;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_EXTENT
