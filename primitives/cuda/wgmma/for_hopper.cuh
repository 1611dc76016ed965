#ifndef POLYMEND_RT_FOR_HOPPER
#define POLYMEND_RT_FOR_HOPPER

namespace polymend_rt {
namespace {

/// Whether this pass compiles for sm_90a. Elsewhere the functions that need its instructions do nothing; the host asks
/// runsHopperCode() before it starts a kernel that calls them.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
constexpr bool forHopper = true;
#else
constexpr bool forHopper = false;
#endif

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FOR_HOPPER
