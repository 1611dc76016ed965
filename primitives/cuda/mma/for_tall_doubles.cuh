#ifndef POLYMEND_RT_FOR_TALL_DOUBLES
#define POLYMEND_RT_FOR_TALL_DOUBLES

namespace polymend_rt {
namespace {

/// Whether this pass compiles for compute capability 9.0 or later, whose products of doubles take 16 rows at once.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr bool forTallDoubles = true;
#else
constexpr bool forTallDoubles = false;
#endif

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FOR_TALL_DOUBLES
