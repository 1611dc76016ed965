#ifndef POLYMEND_RT_BOUND
#define POLYMEND_RT_BOUND

#include <cstdint>

namespace polymend_rt {
namespace {

/// A product of sizes, each of which may be less than zero, with what it is taken times: how far from zero it is.
template <class... Sizes> inline double bound(double times, Sizes... sizes) {
  const auto far = [](std::int64_t size) { return size < 0 ? -static_cast<double>(size) : static_cast<double>(size); };
  return (times * ... * far(sizes));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BOUND
