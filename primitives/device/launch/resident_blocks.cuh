#ifndef POLYMEND_RT_RESIDENT_BLOCKS
#define POLYMEND_RT_RESIDENT_BLOCKS

#include <cstdint>

namespace polymend_rt {
namespace {

/// For kernels whose blocks own memory: no more blocks than a few a multiprocessor.
inline std::int64_t residentBlocks(std::int64_t points) { return points < 512 ? points : 512; }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_RESIDENT_BLOCKS
