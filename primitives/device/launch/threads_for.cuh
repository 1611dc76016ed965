#ifndef POLYMEND_RT_THREADS_FOR
#define POLYMEND_RT_THREADS_FOR

#include <cstdint>

namespace polymend_rt {
namespace {

/// Threads of a block where each has a loop of its own at so many points: few of them are better spread over all
/// processors of a device, which have some 128, than left to the caches of a few.
inline int threadsFor(std::int64_t points) {
  constexpr std::int64_t processors = 128;
  int threads = 256;
  while (threads > 32 && points < processors * threads) threads /= 2;
  return threads;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_THREADS_FOR
