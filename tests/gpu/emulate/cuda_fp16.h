// __half, through clang's _Float16.
#pragma once

struct __half {
  _Float16 value;
  __half() = default;
  __half(float x) : value(static_cast<_Float16>(x)) {}
  explicit __half(double x) : value(static_cast<_Float16>(x)) {}
  explicit __half(int x) : value(static_cast<_Float16>(x)) {}
  operator float() const { return static_cast<float>(value); }
  // As on the device: the other operand is rounded first.
  __half &operator+=(__half x) { return *this = __half(static_cast<float>(*this) + static_cast<float>(x)); }
  __half &operator-=(__half x) { return *this = __half(static_cast<float>(*this) - static_cast<float>(x)); }
  __half &operator*=(__half x) { return *this = __half(static_cast<float>(*this) * static_cast<float>(x)); }
  __half &operator/=(__half x) { return *this = __half(static_cast<float>(*this) / static_cast<float>(x)); }
};
struct alignas(4) __half2 {
  __half x, y;
};

inline __half __float2half(float x) { return {x}; }
inline __half __float2half_rn(float x) { return {x}; }
inline float __half2float(__half x) { return x; }
inline __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
inline float __low2float(__half2 pair) { return pair.x; }
inline float __high2float(__half2 pair) { return pair.y; }
