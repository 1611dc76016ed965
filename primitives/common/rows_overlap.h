#ifndef POLYMEND_RT_ROWS_OVERLAP
#define POLYMEND_RT_ROWS_OVERLAP

#include "overlap.h"
#include "row_levels.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// Whether one of so many rows, each with memory of its own, shares a byte with a range of memory.
template <class Row>
inline bool rowsOverlap(const Row *rows, std::int64_t count, const void *other, std::int64_t bytes) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto size = static_cast<std::int64_t>(rows[i].size());
    if constexpr (rowLevels<Row> > 1) {
      if (rowsOverlap(rows[i].data(), size, other, bytes)) return true;
    } else if (overlap(rows[i].data(), size * std::int64_t{sizeof(typename Row::value_type)}, other, bytes)) {
      return true;
    }
  }
  return false;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ROWS_OVERLAP
