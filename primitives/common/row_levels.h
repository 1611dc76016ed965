#ifndef POLYMEND_RT_ROW_LEVELS
#define POLYMEND_RT_ROW_LEVELS

#include <type_traits>

namespace polymend_rt {
namespace {

/// How many levels of containers there are that take memory for elements of their own.
template <class T, class = void> struct RowLevels {
  static constexpr int value = 0;
};
template <class T> struct RowLevels<T, std::void_t<typename T::allocator_type>> {
  static constexpr int value = 1 + RowLevels<typename T::value_type>::value;
};
template <class T> constexpr int rowLevels = RowLevels<std::remove_cv_t<T>>::value;

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_ROW_LEVELS
