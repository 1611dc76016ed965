#ifndef POLYMEND_RT_LEAST
#define POLYMEND_RT_LEAST

namespace polymend_rt {
namespace {

/// As std::min, of values: of two elements of memory that chooses an address, which no vector does.
template <class T> inline __attribute__((always_inline)) T least(T a, T b) { return b < a ? b : a; }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_LEAST
