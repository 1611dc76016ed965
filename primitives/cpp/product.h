#ifndef POLYMEND_RT_PRODUCT
#define POLYMEND_RT_PRODUCT

#include "reduce.h"

namespace polymend_rt {
namespace {

template <class T, class Value>
inline __attribute__((always_inline)) T product(T start, std::int64_t first, std::int64_t limit, const Value &value) {
  return reduce(start, T(1), first, limit, [](T a, T b) { return static_cast<T>(a * b); }, value);
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_PRODUCT
