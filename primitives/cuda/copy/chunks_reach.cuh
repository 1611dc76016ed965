#ifndef POLYMEND_RT_CHUNKS_REACH
#define POLYMEND_RT_CHUNKS_REACH

#include <cstdint>

namespace polymend_rt {
namespace {

/// Whether copies of 16 bytes reach an array and its extents, innermost first, are numbers of tiles.
template <class Element, int rank> inline bool chunksReach(const Element *base, const std::int64_t (&extents)[rank]) {
  constexpr int per = 16 / static_cast<int>(sizeof(Element));
  bool fits = reinterpret_cast<std::uintptr_t>(base) % 16 == 0 && extents[0] % per == 0;
  for (const std::int64_t extent : extents) fits = fits && extent <= INT32_MAX - 1024;
  return fits;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_CHUNKS_REACH
