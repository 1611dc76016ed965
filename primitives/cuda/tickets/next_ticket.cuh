#ifndef POLYMEND_RT_NEXT_TICKET
#define POLYMEND_RT_NEXT_TICKET

#include <cstdint>

namespace polymend_rt {
namespace {

/// The next number, from zero, of the two words at `counter`, which were zero before the launch; one thread calls
/// this. Launches that may overlap need counters of their own.
__device__ __forceinline__ std::uint32_t nextTicket(std::uint32_t *counter) { return atomicAdd(counter, 1u); }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_NEXT_TICKET
