#ifndef POLYMEND_RT_MAGNITUDE
#define POLYMEND_RT_MAGNITUDE

#include <cstdint>

namespace polymend_rt {
namespace {

__host__ __device__ inline std::int64_t magnitude(std::int64_t a) { return a < 0 ? -a : a; }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MAGNITUDE
