#ifndef POLYMEND_RT_SUM_OF_CALLS
#define POLYMEND_RT_SUM_OF_CALLS

#include "reduce.h"

namespace polymend_rt {
namespace {

/// A sum of elements that call functions, as exp.
template <class T, class Value>
inline __attribute__((always_inline)) T sumOfCalls(T start, std::int64_t first, std::int64_t limit,
                                                   const Value &value) {
  return reduce(start, static_cast<T>(-T(0)), first, limit, [](T a, T b) { return static_cast<T>(a + b); }, value);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_SUM_OF_CALLS
