#ifndef POLYMEND_RT_ROW_LENGTH
#define POLYMEND_RT_ROW_LENGTH

#include <cstdint>

namespace polymend_rt {
namespace {

/// How many elements the first of the rows of a level has; where there is none, 0.
template <int level, class Rows> inline std::int64_t rowLength(const Rows &rows) {
  if constexpr (level == 0)
    return static_cast<std::int64_t>(rows.size());
  else
    return rows.size() == 0 ? 0 : rowLength<level - 1>(*rows.begin());
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ROW_LENGTH
