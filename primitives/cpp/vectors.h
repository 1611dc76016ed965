#ifndef POLYMEND_RT_VECTORS
#define POLYMEND_RT_VECTORS

#include <cstdint>

namespace polymend_rt {
namespace {

#if defined(__AVX512F__)
constexpr int vectorBytes = 64;
#elif defined(__AVX__)
constexpr int vectorBytes = 32;
#else
constexpr int vectorBytes = 16;
#endif

/// A half-open range of indices.
struct Range {
  std::int64_t first, limit;
};

/// A vector of T in registers, and in memory that is aligned as T is.
template <class T> struct Vectors {
  static constexpr int lanes = vectorBytes / static_cast<int>(sizeof(T));
  typedef T Vector __attribute__((vector_size(vectorBytes)));
  typedef T Memory __attribute__((vector_size(vectorBytes), aligned(alignof(T)), may_alias));
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_VECTORS
