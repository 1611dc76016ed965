#ifndef POLYMEND_RT_WINDOW_PIECES
#define POLYMEND_RT_WINDOW_PIECES

#include "held_by.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// The largest group, whose runs may be longer than its registers hold: what it reads again it keeps in shared memory.
constexpr int largestGroup = 256;

/// As many blocks of the largest group as are to share a multiprocessor.
__host__ __device__ constexpr int groupResidents(int group) { return group == largestGroup ? 3 : 0; }

/// How many pieces of a run of `length` elements a group keeps in shared memory, where an element has `size` bytes.
template <int fours> inline std::int64_t windowPieces(int group, std::int64_t length, std::int64_t size) {
  if (group < largestGroup || length <= heldBy(group, fours)) return 0;
  int device = 0, most = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess)
    return 0;
  const std::int64_t room = (most / groupResidents(group) - 2048) / (heldBy(group, fours) * size);
  const std::int64_t pieces = (length - 1) / heldBy(group, fours) + 1;
  return pieces < room ? pieces : room < 0 ? 0 : room;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WINDOW_PIECES
