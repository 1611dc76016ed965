#ifndef POLYMEND_RT_ROWS_HAVE
#define POLYMEND_RT_ROWS_HAVE

#include <cstdint>

namespace polymend_rt {
namespace {

/// Whether all rows have as many elements as is said, and theirs as is said next.
template <class Rows> inline bool rowsHave(const Rows &) { return true; }
template <class Rows, class... More> inline bool rowsHave(const Rows &rows, std::int64_t length, More... more) {
  for (const auto &row : rows)
    if (static_cast<std::int64_t>(row.size()) != length || !rowsHave(row, more...)) return false;
  return true;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ROWS_HAVE
