#ifndef POLYMEND_RT_MOST
#define POLYMEND_RT_MOST

namespace polymend_rt {
namespace {

/// As std::max, of values: of two elements of memory that chooses an address, which no vector does.
template <class T> inline __attribute__((always_inline)) T most(T a, T b) { return a < b ? b : a; }

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_MOST
