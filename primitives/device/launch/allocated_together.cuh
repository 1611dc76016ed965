#ifndef POLYMEND_RT_ALLOCATED_TOGETHER
#define POLYMEND_RT_ALLOCATED_TOGETHER

#include "allocation_of.cuh"

namespace polymend_rt {
namespace {

/// May the two be parts of one piece of memory? Nobody gets from one such piece to another by subscripts.
inline bool allocatedTogether(const void *a, const void *b) {
  const unsigned long long first = allocationOf(a), second = allocationOf(b);
  return first != 0 && second != 0 && (first == second || first == 1 || second == 1);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ALLOCATED_TOGETHER
