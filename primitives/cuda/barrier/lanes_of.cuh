#ifndef POLYMEND_RT_LANES_OF
#define POLYMEND_RT_LANES_OF

namespace polymend_rt {
namespace {

/// The threads of a warp, as bits, that are this one's group of `lanes` neighbours.
template <int lanes> __device__ inline unsigned lanesOf() {
  if constexpr (lanes == 32)
    return 0xffffffffu;
  else
    return ((1u << lanes) - 1) << (threadIdx.x % 32 / lanes * lanes);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LANES_OF
