#ifndef POLYMEND_RT_FOR_WARP_UNITS
#define POLYMEND_RT_FOR_WARP_UNITS

namespace polymend_rt {
namespace {

/// Whether this pass compiles for compute capability 8.0 or later. Before that, the functions that need its
/// instructions do nothing; the host asks runsMatrixCode() before it starts a kernel that calls them.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
constexpr bool forWarpUnits = true;
#else
constexpr bool forWarpUnits = false;
#endif

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FOR_WARP_UNITS
