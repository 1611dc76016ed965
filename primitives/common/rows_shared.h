#ifndef POLYMEND_RT_ROWS_SHARED
#define POLYMEND_RT_ROWS_SHARED

#include "overlap.h"
#include "row_levels.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Whether a row is among both these and those: two have elements in common only where they are one.
template <class A, class B>
inline bool rowsShared(const A *these, std::int64_t many, const B *those, std::int64_t others) {
  if constexpr (rowLevels<A> < rowLevels<B>) {
    return rowsShared(those, others, these, many);
  } else if constexpr (rowLevels<A> > rowLevels<B>) {
    for (std::int64_t i = 0; i < many; ++i)
      if (rowsShared(these[i].data(), static_cast<std::int64_t>(these[i].size()), those, others)) return true;
    return false;
  } else {
    return overlap<A, B>(these, many, those, others);
  }
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ROWS_SHARED
