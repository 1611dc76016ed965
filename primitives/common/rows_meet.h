#ifndef POLYMEND_RT_ROWS_MEET
#define POLYMEND_RT_ROWS_MEET

#include "meets.h"
#include "row_levels.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Whether one of so many rows, each with memory of its own, may share a byte with elements of an array.
template <class Row>
inline bool rowsMeet(const Row *rows, std::int64_t count, const void *other, std::int64_t size,
                     const Interval &elements) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto length = static_cast<std::int64_t>(rows[i].size());
    if constexpr (rowLevels<Row> > 1) {
      if (rowsMeet(rows[i].data(), length, other, size, elements)) return true;
    } else if (meets(rows[i].data(), std::int64_t{sizeof(typename Row::value_type)}, Interval::upTo(length), other,
                     size, elements)) {
      return true;
    }
  }
  return false;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ROWS_MEET
