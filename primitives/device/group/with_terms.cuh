#ifndef POLYMEND_RT_WITH_TERMS
#define POLYMEND_RT_WITH_TERMS

#include <cstdint>
#include <type_traits>

namespace polymend_rt {
namespace {

/// Calls `start` with the number of terms that a thread reads ahead where sums have `count` of them: at least as many,
/// but no more than it has registers for; 0: it reads them when they are needed.
template <class Start> inline cudaError_t withTerms(std::int64_t count, const Start &start) {
  if (count < 1 || count > 16) return start(std::integral_constant<int, 0>());
  if (count == 1) return start(std::integral_constant<int, 1>());
  if (count <= 4) return start(std::integral_constant<int, 4>());
  return start(std::integral_constant<int, 16>());
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_WITH_TERMS
