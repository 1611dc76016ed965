#ifndef POLYMEND_RT_OVERLAP
#define POLYMEND_RT_OVERLAP

#include <cstdint>

namespace polymend_rt {
namespace {

/// Whether two ranges of memory share a byte; what has no memory shares none.
inline bool overlap(const void *a, std::int64_t aBytes, const void *b, std::int64_t bBytes) {
  const auto p = reinterpret_cast<std::uintptr_t>(a);
  const auto q = reinterpret_cast<std::uintptr_t>(b);
  if (a == nullptr || b == nullptr || aBytes <= 0 || bBytes <= 0) return false;
  return p < q + static_cast<std::uintptr_t>(bBytes) && q < p + static_cast<std::uintptr_t>(aBytes);
}

/// The same of ranges of so many elements.
template <class A, class B>
inline bool overlap(const void *a, std::int64_t aElements, const void *b, std::int64_t bElements) {
  return overlap(a, aElements * std::int64_t{sizeof(A)}, b, bElements * std::int64_t{sizeof(B)});
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_OVERLAP
