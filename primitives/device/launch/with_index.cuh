#ifndef POLYMEND_RT_WITH_INDEX
#define POLYMEND_RT_WITH_INDEX

#include "narrow_reach.cuh"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Calls `start` with an integer of the type that holds all of a kernel's, none of which is further from zero than
/// `reach`. A build may say that it is always of 64 bits: -DPOLYMEND_NARROW_REACH=0.
template <class Start> inline cudaError_t withIndex(double reach, const Start &start) {
  return reach < POLYMEND_NARROW_REACH ? start(std::int32_t()) : start(std::int64_t());
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WITH_INDEX
