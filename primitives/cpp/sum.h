#ifndef POLYMEND_RT_SUM
#define POLYMEND_RT_SUM

#include "reduce.h"

namespace polymend_rt {
namespace {

template <class T, class Value>
inline __attribute__((always_inline)) T sum(T start, std::int64_t first, std::int64_t limit, const Value &value) {
  return reduce<true>(
      start, static_cast<T>(-T(0)), first, limit, [](T a, T b) { return static_cast<T>(a + b); }, value);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_SUM
