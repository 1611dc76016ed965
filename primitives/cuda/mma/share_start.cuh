#ifndef POLYMEND_RT_SHARE_START
#define POLYMEND_RT_SHARE_START

#include <cstdint>

namespace polymend_rt {
namespace {

/// Where this thread's share of the first 8 x 8 elements of a tile stands, for loadShare; `across`: of their transpose.
template <class Element, bool across> __device__ __forceinline__ std::uint32_t shareStart(std::uint32_t tile) {
  const std::uint32_t lane = threadIdx.x % 32, row = across ? lane % 4 * 2 : lane / 4;
  const std::uint32_t byte = (across ? lane / 4 : lane % 4 * 2) * static_cast<std::uint32_t>(sizeof(Element));
  return tile + row * 128 + ((byte / 16 ^ row ^ row % 2 * 4) & 7) * 16 + byte % 16;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_SHARE_START
