// __nv_bfloat16: the upper half of a float, rounded to nearest even; arithmetic takes place in float.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

struct __nv_bfloat16 {
  std::uint16_t bits;
  __nv_bfloat16() = default;
  __nv_bfloat16(float x) {
    const auto whole = std::bit_cast<std::uint32_t>(x);
    if ((whole & 0x7fffffff) > 0x7f800000)
      bits = 0x7fff;
    else
      bits = static_cast<std::uint16_t>((whole + 0x7fff + (whole >> 16 & 1)) >> 16);
  }
  explicit __nv_bfloat16(double x) : __nv_bfloat16(static_cast<float>(x)) {}
  explicit __nv_bfloat16(int x) : __nv_bfloat16(static_cast<float>(x)) {}
  operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
  // As on the device: the other operand is rounded first.
  __nv_bfloat16 &operator+=(__nv_bfloat16 x) {
    return *this = __nv_bfloat16(static_cast<float>(*this) + static_cast<float>(x));
  }
  __nv_bfloat16 &operator-=(__nv_bfloat16 x) {
    return *this = __nv_bfloat16(static_cast<float>(*this) - static_cast<float>(x));
  }
  __nv_bfloat16 &operator*=(__nv_bfloat16 x) {
    return *this = __nv_bfloat16(static_cast<float>(*this) * static_cast<float>(x));
  }
  __nv_bfloat16 &operator/=(__nv_bfloat16 x) {
    return *this = __nv_bfloat16(static_cast<float>(*this) / static_cast<float>(x));
  }
};
struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};

inline __nv_bfloat16 __float2bfloat16(float x) { return {x}; }
inline __nv_bfloat16 __float2bfloat16_rn(float x) { return {x}; }
inline float __bfloat162float(__nv_bfloat16 x) { return x; }
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
