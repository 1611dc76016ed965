#ifndef POLYMEND_RT_NOTE_INDEX_FAULT
#define POLYMEND_RT_NOTE_INDEX_FAULT

#include <cstdint>

namespace polymend_rt {
namespace {

/// Puts the words of an IndexFault where none stands yet; of several threads one does.
__device__ inline void noteIndexFault(long long *fault, std::int64_t check, std::int64_t position, std::int64_t value,
                                      std::int64_t reached, std::int64_t bound, std::int64_t side) {
  if (atomicCAS(reinterpret_cast<unsigned long long *>(fault), 0ull, static_cast<unsigned long long>(check)) != 0ull)
    return;
  fault[1] = position;
  fault[2] = value;
  fault[3] = reached;
  fault[4] = bound;
  fault[5] = side;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_NOTE_INDEX_FAULT
