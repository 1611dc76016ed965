#ifndef POLYMEND_RT_VALUES_IN_ROWS
#define POLYMEND_RT_VALUES_IN_ROWS

#include "interval.h"
#include "row_levels.h"
#include "values_in.h"

#include <cstdint>

namespace polymend_rt {
namespace {

/// From the least to the greatest value of all elements of so many rows that lie apart from each other.
template <class Row> Interval valuesInRows(const Row *rows, std::int64_t count) {
  Interval all;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto length = static_cast<std::int64_t>(rows[i].size());
    if constexpr (rowLevels<Row> > 1)
      all = all.with(valuesInRows(rows[i].data(), length));
    else
      all = all.with(valuesIn(rows[i].data(), Interval::upTo(length)));
  }
  return all;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_VALUES_IN_ROWS
