#ifndef POLYMEND_RT_BITS
#define POLYMEND_RT_BITS

#include <cstdint>
#include <cstring>

namespace polymend_rt {
namespace {

inline std::uint32_t bitsOf(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

inline float floatOf(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BITS
