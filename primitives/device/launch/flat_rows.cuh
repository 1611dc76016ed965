#ifndef POLYMEND_RT_FLAT_ROWS
#define POLYMEND_RT_FLAT_ROWS

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace polymend_rt {
namespace {

/// Elements of rows that lie apart from each other, one behind the other.
template <class T> class FlatRows {
public:
  template <class Row> FlatRows(const Row *rows, std::int64_t count) : memory(new T[elementsOf(rows, count)]) {
    T *to = memory.get();
    for (std::int64_t i = 0; i < count; ++i) to = take(rows[i], to);
  }
  T *data() const { return memory.get(); }
  /// Gives them back to the rows.
  template <class Row> void give(Row *rows, std::int64_t count) const {
    const T *from = memory.get();
    for (std::int64_t i = 0; i < count; ++i) from = put(rows[i], from);
  }

private:
  template <class E, class = void> struct Holds {
    static constexpr bool value = false;
  };
  template <class E> struct Holds<E, std::void_t<typename E::value_type>> {
    static constexpr bool value = true;
  };
  template <class Row> static std::size_t numbersIn(const Row &row) {
    if constexpr (Holds<typename Row::value_type>::value)
      return elementsOf(row.data(), static_cast<std::int64_t>(row.size()));
    else
      return row.size();
  }
  template <class Row> static std::size_t elementsOf(const Row *rows, std::int64_t count) {
    std::size_t all = 0;
    for (std::int64_t i = 0; i < count; ++i) all += numbersIn(rows[i]);
    return all;
  }
  template <class Row> static T *take(const Row &row, T *to) {
    if constexpr (Holds<typename Row::value_type>::value) {
      for (const auto &inner : row) to = take(inner, to);
      return to;
    } else {
      return std::copy(row.begin(), row.end(), to);
    }
  }
  template <class Row> static const T *put(Row &row, const T *from) {
    if constexpr (Holds<typename Row::value_type>::value) {
      for (auto &inner : row) from = put(inner, from);
      return from;
    } else {
      const T *const end = from + row.size();
      std::copy(from, end, row.begin());
      return end;
    }
  }
  std::unique_ptr<T[]> memory;
};

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FLAT_ROWS
