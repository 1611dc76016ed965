#ifndef POLYMEND_RT_TENSOR_MAPPABLE
#define POLYMEND_RT_TENSOR_MAPPABLE

#include <cstdint>

namespace polymend_rt {
namespace {

/// Whether the copy engine reaches an array: extents in elements, strides in bytes of all dimensions but the innermost,
/// whose elements are neighbours; innermost first.
template <int rank>
inline bool tensorMappable(const void *base, const std::int64_t (&extents)[rank],
                           const std::int64_t (&strides)[rank - 1]) {
  bool fits = reinterpret_cast<std::uintptr_t>(base) % 16 == 0;
  for (const std::int64_t extent : extents) fits = fits && 1 <= extent && extent <= INT32_MAX;
  for (const std::int64_t stride : strides) fits = fits && 0 <= stride && stride >> 40 == 0 && stride % 16 == 0;
  return fits;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_TENSOR_MAPPABLE
