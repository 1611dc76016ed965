#ifndef POLYMEND_RT_RETURN_TICKETS
#define POLYMEND_RT_RETURN_TICKETS

#include <cstdint>

namespace polymend_rt {
namespace {

/// Once per block, after its last ticket, by the same thread: the last of `blocks` blocks leaves the counter at zero.
__device__ __forceinline__ void returnTickets(std::uint32_t *counter, std::uint32_t blocks) {
  __threadfence();
  if (atomicAdd(counter + 1, 1u) != blocks - 1) return;
  __threadfence();
  counter[0] = 0;
  counter[1] = 0;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_RETURN_TICKETS
